#include "stickslip/run/sweep_summary.h"

#include <gtest/gtest.h>

namespace stickslip::sweep_table_test {
namespace {

TEST(SweepTable, ReadsQuotesBlanksAndComments)
{
    const SweepTable table =
        parse_sweep_table("\xEF\xBB\xBF# a comment\r\n a.b , c \r\n\r\n1, \"say \"\"x\"\", y\" \r\n,\r\n", "t.csv");
    EXPECT_EQ(format(table.faults), "");
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.columns[1].text, "c");
    EXPECT_EQ(table.rows[0].cells[1].text, "say \"x\", y");
    EXPECT_EQ(table.rows[0].cells[1].column, 4);
    EXPECT_EQ(table.rows[0].overrides, (std::vector<std::string>{"a.b=1", "c=say \"x\", y"}));
    EXPECT_TRUE(table.rows[1].overrides.empty()); // empty fields change nothing
    EXPECT_EQ(table.rows[1].name, "002");
}

TEST(SweepTable, FaultsOfARowAreMovedToTheirFields)
{
    const SweepTable table = parse_sweep_table("name,time.end\nx,-1\n", "t.csv");
    const Fault of_field =
        fault_of_row(table, table.rows[0], {.file = "--set time.end", .path = "time.end", .message = "bad"});
    EXPECT_EQ(format(of_field), "t.csv:2:3: error: time.end: bad\nx,-1\n  ^");
    const Fault of_scene =
        fault_of_row(table, table.rows[0], {.file = "s.yaml", .line = 7, .path = "expect", .message = "late"});
    EXPECT_EQ(
        format(of_scene), "t.csv:2:1: error: expect: late (in s.yaml at line 7, with the values of this row)\nx,-1\n^");
}

TEST(SweepSummary, FindsWhatPathsLeadTo)
{
    const SweepTable table = parse_sweep_table("name,f\na,1\nb,2\n", "t.csv");
    const std::string summary = R"({"status": "done", "gates": {"outlet.low.mass": 2.5, "outlet": {"low": 1}},
        "expect": [{"holds": true, "value": [1, 2]}, {"holds": false}]})";
    const std::vector<std::string> results = {
        "gates.outlet.low.mass", "gates.outlet.low", "expect[0].value[1]", "expect[2]", "x"};
    const std::vector<SweepOutcome> outcomes = {{.exit = 5, .summary = summary}, {}};
    EXPECT_EQ(sweep_summary(table, outcomes, results),
        "name,f,exit,status,state_hash,steps,simulated_time,wall_time,max_contact_depth,expectations_held,"
        "gates.outlet.low.mass,gates.outlet.low,expect[0].value[1],expect[2],x\n"
        "a,1,5,done,,,,,,1 of 2,2.5,1,2,,\nb,2,,,,,,,,,,,,,\n");
    EXPECT_EQ(unknown_results(outcomes, results), (std::vector<std::string>{"expect[2]", "x"}));
    EXPECT_EQ(exit_of(summary), 5);
    for (const std::string older :
        {R"({"max_penetration": 0.5})", R"({"max_penetration": 0.5, "max_contact_depth": 0.5})"})
        EXPECT_NE(
            sweep_summary(table, {{.exit = 0, .summary = older}, {}}, {}).find("a,1,0,,,,,,0.5,\n"), std::string::npos)
            << older;
}

} // namespace
} // namespace stickslip::sweep_table_test
