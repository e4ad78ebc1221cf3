#include "stickslip/files/csv_table.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip::csv_table_test {
namespace {

TEST(CsvTable, ReadsNumbersAndNames)
{
    std::size_t broken = 0;
    const CsvTable table = parse_csv("time,body,x\n0,floor,1.5\n0.5,\"a \"\"b\"\", c\",-2e-3\n", broken);
    EXPECT_EQ(broken, 0u);
    ASSERT_EQ(table.rows, 2u);
    EXPECT_EQ(table.numbers("time"), (std::vector<double>{0, 0.5}));
    EXPECT_EQ(table.find("body")->words, (std::vector<std::string>{"floor", "a \"b\", c"}));
    EXPECT_EQ(table.numbers("x"), (std::vector<double>{1.5, -2e-3}));
    EXPECT_TRUE(table.numbers("missing").empty());
}

TEST(CsvTable, ReadsWhatASolveOrAnOutletIsCalled)
{
    std::size_t broken = 0;
    for (const char* name : {"status", "outlet", "probe"}) {
        const CsvTable table = parse_csv("time," + std::string(name) + "\n1,converged\n", broken);
        EXPECT_EQ(table.find(name)->words, std::vector<std::string>{"converged"}) << name;
    }
}

TEST(CsvTable, LeavesOutARowThatIsNotComplete)
{
    std::size_t broken = 0;
    const CsvTable table = parse_csv("time,x\n0,1\n1,2", broken);
    EXPECT_EQ(table.rows, 1u);
    EXPECT_EQ(broken, 0u);
}

TEST(CsvTable, CountsRowsOfAnotherLength)
{
    std::size_t broken = 0;
    const CsvTable table = parse_csv("time,x\n0,1\n1\n2,3,4\n3,4\n", broken);
    EXPECT_EQ(table.numbers("time"), (std::vector<double>{0, 3}));
    EXPECT_EQ(broken, 2u);
}

TEST(CsvTable, WhatIsNoNumberIsNan)
{
    std::size_t broken = 0;
    const CsvTable table = parse_csv("time,x\nnan,1\nword,inf\n", broken);
    EXPECT_TRUE(std::isnan(table.numbers("time")[0]));
    EXPECT_TRUE(std::isnan(table.numbers("time")[1]));
    EXPECT_TRUE(std::isinf(table.numbers("x")[1]));
}

TEST(CsvTable, NothingIsATableWithoutColumns)
{
    std::size_t broken = 0;
    EXPECT_TRUE(parse_csv("", broken).columns.empty());
    EXPECT_TRUE(parse_csv("time", broken).columns.empty()); // its header is still being written
}

} // namespace
} // namespace stickslip::csv_table_test
