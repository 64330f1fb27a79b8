# Writes the page as a C++ source with one string.
# Usage: cmake -DOUTPUT=file.cpp -DPAGE=report.html -P embed.cmake
file(READ ${PAGE} content)
file(WRITE ${OUTPUT} "#include \"report/html.hpp\"\n\nnamespace cohort::report {\n\nconst std::string& html_page() {\n  static const std::string page = R\"~~(${content})~~\";\n  return page;\n}\n\n}  // namespace cohort::report\n")
