#include "stickslip/scene/text/placed_table.h"

#include <gtest/gtest.h>

namespace stickslip::placed_table_test {
namespace {

TEST(PlacedTable, ColumnsCountCharacters)
{
    std::vector<int> columns;
    const PlacedTable table =
        parse_placed_table("Körper,Ä\n\"ü\", größe\nö,\"ä\" x\n", "t.csv", [&](PlacedTable&, const PlacedRow& row) {
            for (const PlacedField& field : row.fields)
                columns.push_back(field.column);
        });
    EXPECT_EQ(table.columns[1].column, 8);
    EXPECT_EQ(columns, (std::vector<int>{1, 6, 1, 3}));
    EXPECT_EQ(format(table.faults),
        "t.csv:3:7: error: expected a comma after the quoted field, found \"x\"\nö,\"ä\" x\n      ^\n");
}

} // namespace
} // namespace stickslip::placed_table_test
