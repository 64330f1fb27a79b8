# Writes the C files of the library as a C++ source with one string for each.
# Usage: cmake -DOUTPUT=file.cpp -DFOLDER=folder -P embed.cmake
file(GLOB files ${FOLDER}/*.c ${FOLDER}/*.h)
list(SORT files)
set(text "#include \"frontend/c/library/library.hpp\"\n\nnamespace cohort::frontend::c::library {\n\n")
string(APPEND text "const std::vector<File>& embedded_files() {\n  static const std::vector<File> files = {\n")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND text "      {\"${name}\", R\"~~(${content})~~\"},\n")
endforeach()
string(APPEND text "  };\n  return files;\n}\n\n}  // namespace cohort::frontend::c::library\n")
file(WRITE ${OUTPUT} "${text}")
