#include "load/property_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cohort::load {
namespace {

using ::testing::ElementsAre;

Specification read(const std::string& text) {
  return read_property_file(std::make_shared<const SourceFile>("p.prp", text));
}

InputError::Kind refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    EXPECT_EQ(error.span().line, 1U);
    return error.kind();
  }
  ADD_FAILURE() << "not refused: " << text;
  return InputError::Kind::Malformed;
}

TEST(PropertyFile, ReadsThePropertiesOfSvComp) {
  const auto reach = read("CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
  EXPECT_THAT(reach.properties, ElementsAre("assertions"));
  EXPECT_THAT(reach.subproperties, ElementsAre("unreach-call"));
  EXPECT_EQ(reach.text, "CHECK( init(main()), LTL(G ! call(reach_error())) )");
  EXPECT_THAT(read("CHECK(init(main()),LTL(G !data-race))").properties, ElementsAre("races"));
  EXPECT_THAT(read("\n\n CHECK( init(main()), LTL(G ! overflow) )\r\n").properties, ElementsAre("overflow"));
}

TEST(PropertyFile, JoinsSeveralLines) {
  const auto memory = read("CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n");
  EXPECT_THAT(memory.properties, ElementsAre("faults"));
  EXPECT_THAT(memory.subproperties, ElementsAre("valid-free", "valid-deref"));
}

TEST(PropertyFile, RefusesWhatIsNotLookedFor) {
  EXPECT_EQ(refusal("CHECK( init(main()), LTL(F end) )"), InputError::Kind::Unsupported);
  EXPECT_EQ(refusal("CHECK( init(main()), LTL(G valid-memtrack) )"), InputError::Kind::Unsupported);
  EXPECT_EQ(refusal("CHECK( init(main()), LTL(G ! call(foo())) )"), InputError::Kind::Unsupported);
  EXPECT_EQ(refusal("CHECK( init(start()), LTL(G ! data-race) )"), InputError::Kind::Unsupported);
  EXPECT_EQ(refusal("COVER( init(main()), FQL(COVER EDGES(@CALL(f))) )"), InputError::Kind::Malformed);
  EXPECT_EQ(refusal("CHECK( init(main()), LTL(G ! data-race)"), InputError::Kind::Malformed);
  EXPECT_EQ(refusal(""), InputError::Kind::Malformed);
}

TEST(PropertyFile, TakesBareFormulasFromWitnesses) {
  EXPECT_THAT(read_specification("G ! call(reach_error())", {}).properties, ElementsAre("assertions"));
  EXPECT_THAT(read_specification("CHECK( init(main()), LTL(G ! deadlock) )", {}).properties, ElementsAre("deadlock"));
}

// What is written for a property is read as that property.
TEST(PropertyFile, ReadsWhatItWrites) {
  for (const char* name : {"assertions", "races", "deadlock", "overflow", "faults", "locks"}) {
    const auto specification = read_specification(specification_text({name}), {});
    EXPECT_THAT(specification.properties, ElementsAre(name));
  }
  EXPECT_EQ(read_specification(specification_text({"all"}), {}).properties.size(), 6U);
}

}  // namespace
}  // namespace cohort::load
