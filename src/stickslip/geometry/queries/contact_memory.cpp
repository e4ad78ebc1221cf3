#include "stickslip/geometry/queries/contact_memory.h"

#include "stickslip/math/check.h"

#include <tuple>

namespace stickslip {

namespace {

enum Kinship { none, surface, same_patch, same_facet };

Kinship kinship(const ContactName& old, const ContactName& now, double cosine, double angle_cosine)
{
    if (old.facet == now.facet && cosine > 0)
        return same_facet;
    if (!(cosine > angle_cosine))
        return none;
    return old.patch == now.patch ? same_patch : surface;
}

} // namespace

void match_contacts(
    std::span<const ContactName> old, std::span<const ContactName> now, double angle_cosine, std::span<int> heirs)
{
    STICKSLIP_ASSERT(heirs.size() == old.size());
    for (std::size_t i = 0; i < old.size(); ++i) {
        heirs[i] = -1;
        Kinship nearest = none;
        double least_turned = -1;
        for (std::size_t j = 0; j < now.size(); ++j) {
            const double cosine = old[i].n.dot(now[j].n);
            const Kinship kin = kinship(old[i], now[j], cosine, angle_cosine);
            if (kin != none && std::tie(kin, cosine) > std::tie(nearest, least_turned)) {
                std::tie(nearest, least_turned) = std::tie(kin, cosine);
                heirs[i] = static_cast<int>(j);
            }
        }
    }
}

Vec3 cap(const Vec3& F, double limit)
{
    const double length = F.norm();
    return length > limit ? Vec3(limit / length * F) : F;
}

} // namespace stickslip
