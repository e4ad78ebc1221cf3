#include "stickslip/math/rotation_svd.h"

namespace stickslip {

RotationSvd rotation_svd(const Mat3& F)
{
    const auto [U, V, sigma] = rotation_svd_of(matrix3(F));
    return {mat3({U[0], U[1], U[2]}), mat3({V[0], V[1], V[2]}), {sigma[0], sigma[1], sigma[2]}};
}

STICKSLIP_WIDE void rotation_svds(const std::array<const Mat3*, lanes>& F, const std::array<RotationSvd*, lanes>& svds)
{
    const auto [U, V, sigma] = rotation_svd_of(matrix3(*F[0], *F[1], *F[2], *F[3]));
    for (int l = 0; l < lanes; ++l)
        *svds[l] = {lane({U[0], U[1], U[2]}, l), lane({V[0], V[1], V[2]}, l), {sigma[0][l], sigma[1][l], sigma[2][l]}};
}

} // namespace stickslip
