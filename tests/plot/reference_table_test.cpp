#include "stickslip/plot/reference_table.h"

#include "stickslip/files/atomic_file.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip::reference_table_test {
namespace {

ReferenceTable read(const std::string& text)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "r.csv", text);
    return read_reference_table(folder.path() / "r.csv", {"cube.x", "cube.y"}, "time");
}

/// "line:column: message" of each fault.
std::vector<std::string> faults_of(const std::string& text)
{
    std::vector<std::string> all;
    for (const Fault& fault : read(text).faults)
        all.push_back(std::to_string(fault.line) + ":" + std::to_string(fault.column) + ": "
            + (fault.path.empty() ? "" : fault.path + ": ") + fault.message);
    return all;
}

using Texts = std::vector<std::string>;

TEST(ReferenceTable, ReadsWhatSpreadsheetsWrite)
{
    const ReferenceTable r = read("\xEF\xBB\xBF# measured\r\ntime, cube.x ,note,\"cube.y\"\r\n\r\n 0, 1e-3 ,ä,\r\n"
                                  "0.5,nan,\"a, b\",+2\r\n0.5,3,,inf\r\n,,,\r\n");
    EXPECT_EQ(format(r.faults), "");
    EXPECT_EQ(r.table.rows, 3u);
    EXPECT_EQ(r.table.numbers("time"), (std::vector<double>{0, 0.5, 0.5})); // a jump
    EXPECT_EQ(r.table.numbers("cube.x")[0], 1e-3);
    EXPECT_TRUE(std::isnan(r.table.numbers("cube.x")[1]) && std::isnan(r.table.numbers("cube.y")[0])); // no value
    EXPECT_EQ(r.table.numbers("cube.y")[1], 2);
    EXPECT_FALSE(r.table.find("note"));
}

TEST(ReferenceTable, KnowsColumnsByTheirOlderNames)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "r.csv", "time,max_penetration\n0,2\n");
    const ReferenceTable r = read_reference_table(folder.path() / "r.csv", {"max_contact_depth"}, "time");
    EXPECT_EQ(format(r.faults), "");
    EXPECT_EQ(r.table.numbers("max_contact_depth"), std::vector<double>{2});
}

TEST(ReferenceTable, TellsAllFaultsWithTheirPlaces)
{
    EXPECT_EQ(faults_of("time,cube.x\n0,0\n1,0.1\n2,abc\nfoo,2\n"),
        (Texts{"4:3: cube.x: expected a number, found \"abc\"", "5:1: time: expected a time [s], found \"foo\""}));
    EXPECT_EQ(faults_of("time,cube.x\n0;0\n1\n1,2,3\n"),
        (Texts{"2:1: expected 2 fields as in the header, found 1; commas separate them",
            "3:1: expected 2 fields as in the header, found 1; commas separate them",
            "4:5: expected 2 fields as in the header, found 3"}));
    EXPECT_EQ(faults_of("time,cube.x\n0,\"0,1\"\n,2\n"),
        (Texts{"2:3: cube.x: expected a number, found \"0,1\"", "3:1: time: expected a time [s], found nothing"}));
    EXPECT_EQ(faults_of("time,cube.x\n2,0\n1,4\n1.5,1\n"),
        Texts{"3:1: time: expected no time before 2 of a row above, found \"1\""});
    EXPECT_EQ(faults_of("time,cube.x,cube.x\n2,0,1\n"),
        Texts{"1:13: cube.x: a second column of this name; the first is at column 6"});
    EXPECT_EQ(faults_of("Time;cube.x\n0;0\n"),
        (Texts{"1:1: expected a column \"time\", found: Time;cube.x",
            "1:1: expected a column \"cube.x\", found: Time;cube.x"}));
    for (const char* empty : {"", "# nothing\n", "time,cube.x\n", "time,cube.x\n,\n"})
        EXPECT_EQ(faults_of(empty), Texts{"0:0: expected a header and a row for each time, found none"}) << empty;
}

TEST(ReferenceTable, TellsTwentyOfManyFaults)
{
    std::string text = "time,cube.x\n";
    for (int i = 0; i < 50; ++i)
        text += "0;1\n";
    const Texts faults = faults_of(text);
    ASSERT_EQ(faults.size(), 21u);
    EXPECT_EQ(faults.back(), "0:0: and 30 more");
}

} // namespace
} // namespace stickslip::reference_table_test
