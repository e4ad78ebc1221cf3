#include "support/tunnelling.h"

#include <cstdio>

namespace stickslip::tunnelling_test {
namespace {

template <typename Throw>
void throw_all(const char* what, const Throw& one, std::uint64_t seed)
{
    const Throws throws = throw_many(one, seed, 250);
    std::printf("%s: %d throws, %d got through and were told, %d runs gave up\n", what, throws.count, throws.through,
        throws.gave_up);
}

TEST(Tunnelling, OfBallsThroughAWallIsNotSilent)
{
    throw_all("balls at walls", throw_ball, 1);
}

TEST(Tunnelling, OfCardsThroughCardsIsNotSilent)
{
    throw_all("cards at cards", throw_card, 2);
}

TEST(Tunnelling, OfSoftBodiesThroughASheetIsNotSilent)
{
    throw_all("soft bodies at sheets", throw_at_sheet, 3);
}

TEST(Tunnelling, OfSoftBodiesThroughASoftSlabIsNotSilent)
{
    throw_all("soft bodies at slabs", throw_at_slab, 4);
}

} // namespace
} // namespace stickslip::tunnelling_test
