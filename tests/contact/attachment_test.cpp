#include "stickslip/contact/attachment.h"
#include "stickslip/math/error.h"

#include "support/same_attachment.h"

namespace stickslip::attachment_test {
namespace {

const std::vector<AttachedTo> one_of_each = {OnSolid{3, {0.1, -0.2, 0.3}}, OnFacet{7, {0.2, 0.3, 0.5}},
    RollingOnSolid{-1, {0.01, 0, -0.02}, 2.5}, RollingOnFacet{4, {0.01, 0.02, -0.0}, {0, 0.6, 0.8}},
    OnEdges{0.25, 0.75, -1}};

TEST(Attachment, OfEveryKindComesBackFromItsNumbers)
{
    ASSERT_EQ(one_of_each.size(), std::variant_size_v<AttachedTo>);
    for (std::size_t which = 0; which < one_of_each.size(); ++which) {
        const Attachment a{0, 1, 2, 3, one_of_each[which]};
        ASSERT_EQ(a.to.index(), which) << "listed in the order of AttachedTo";
        const Attachment back{0, 1, 2, 3, attached_to(which, numbers(a.to))};
        EXPECT_TRUE(same_bits(a, back)) << which;
    }
}

TEST(Attachment, NumbersTellTwoOfOneKindApart)
{
    for (const AttachedTo& to : one_of_each) {
        AttachmentNumbers other = numbers(to);
        other.place.x() += 1e-16;
        EXPECT_FALSE(same_bits(Attachment{0, 1, 2, 3, to}, Attachment{0, 1, 2, 3, attached_to(to.index(), other)}));
    }
}

TEST(Attachment, OfAnUnknownKindIsRefused)
{
    EXPECT_THROW(attached_to(std::variant_size_v<AttachedTo>, {}), InputError);
}

} // namespace
} // namespace stickslip::attachment_test
