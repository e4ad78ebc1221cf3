#include "stickslip/files/csv.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>

namespace stickslip::csv_test {
namespace {

TEST(CsvNumber, ReadsBackBitForBit)
{
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 20000; ++trial) {
        const auto value = std::bit_cast<double>(random());
        if (!std::isfinite(value))
            continue;
        const std::string text = csv_number(value);
        EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)), std::bit_cast<std::uint64_t>(value))
            << text;
    }
}

TEST(CsvNumber, HasSeventeenDigits)
{
    EXPECT_EQ(csv_number(0.1), "0.10000000000000001");
    EXPECT_EQ(csv_number(1), "1");
    EXPECT_EQ(csv_number(-0.0), "-0");
    EXPECT_EQ(csv_number(std::numeric_limits<double>::lowest()), "-1.7976931348623157e+308");
    EXPECT_EQ(csv_number(std::numeric_limits<double>::denorm_min()), "4.9406564584124654e-324");
}

TEST(CsvNumber, NamesWhatIsNoNumber)
{
    EXPECT_EQ(csv_number(nan), "nan");
    EXPECT_EQ(csv_number(-nan), "nan");
    EXPECT_EQ(csv_number(infinity), "inf");
    EXPECT_EQ(csv_number(-infinity), "-inf");
}

TEST(CsvRow, SeparatesFieldsAndStartsAnew)
{
    CsvRow row;
    row.add(0.5)
        .add("block")
        .add(-3)
        .add(std::uint64_t{18446744073709551615u})
        .add(Vec3(1, 2, 3))
        .add(Quat(1, 0, 0, -1));
    EXPECT_EQ(row.take(), "0.5,block,-3,18446744073709551615,1,2,3,1,0,0,-1\n");
    EXPECT_EQ(row.add(7).take(), "7\n");
}

TEST(CsvRow, KeepsEmptyFields)
{
    EXPECT_EQ(CsvRow().add("").add("").add(1).take(), ",,1\n");
}

TEST(CsvRow, QuotesOnlyWhereItMust)
{
    EXPECT_EQ(CsvRow().add("a,b").add("say \"no\"").add("two\nlines").add("plain text").take(),
        "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",plain text\n");
}

TEST(CsvHeader, IsARowOfNames)
{
    EXPECT_EQ(csv_header({"time", "dt", "px"}), "time,dt,px\n");
}

} // namespace
} // namespace stickslip::csv_test
