#include "support/tunnelling.h"

// Few throws of each kind; tests/long has a thousand.
namespace stickslip::tunnelling_test {
namespace {

TEST(Tunnelling, OfBallsThroughAWallIsNotSilent)
{
    throw_many(throw_ball, 1, 30);
}

TEST(Tunnelling, OfCardsThroughCardsIsNotSilent)
{
    throw_many(throw_card, 2, 30);
}

TEST(Tunnelling, OfSoftBodiesThroughASheetIsNotSilent)
{
    throw_many(throw_at_sheet, 3, 8);
}

TEST(Tunnelling, OfSoftBodiesThroughASoftSlabIsNotSilent)
{
    throw_many(throw_at_slab, 4, 8);
}

} // namespace
} // namespace stickslip::tunnelling_test
