#include "stickslip/mpm/node_values.h"

namespace stickslip {

// Weights are products by axis: what the nodes of a line along x add up to is added up along y and then along z.
STICKSLIP_WIDE void interpolate(const NodeValues& u, const Spline& spline, PointValues& to)
{
    const double* w = spline.w.data(); // 3 axis + node
    const double* dw = spline.dw.data();
    to = {};
    for (int k = 0; k < 3; ++k) {
        Lanes value{}, along_x{}, along_y{};
        for (int j = 0; j < 3; ++j) {
            const Lanes* line = &u.at[stencil_slot(0, j, k)];
            const Lanes sum = w[0] * line[0] + w[1] * line[1] + w[2] * line[2];
            along_x += w[3 + j] * (dw[0] * line[0] + dw[1] * line[1] + dw[2] * line[2]);
            along_y += dw[3 + j] * sum;
            value += w[3 + j] * sum;
        }
        to.value += w[6 + k] * value;
        to.gradient[0] += w[6 + k] * along_x;
        to.gradient[1] += w[6 + k] * along_y;
        to.gradient[2] += dw[6 + k] * value;
    }
}

STICKSLIP_WIDE void spread(const PointValues& from, const Spline& spline, NodeValues& u)
{
    const double* w = spline.w.data();
    const double* dw = spline.dw.data();
    for (int k = 0; k < 3; ++k) {
        const Lanes value = w[6 + k] * from.value + dw[6 + k] * from.gradient[2];
        const Lanes along_x = w[6 + k] * from.gradient[0], along_y = w[6 + k] * from.gradient[1];
        for (int j = 0; j < 3; ++j) {
            const Lanes plain = w[3 + j] * value + dw[3 + j] * along_y, steep = w[3 + j] * along_x;
            Lanes* line = &u.at[stencil_slot(0, j, k)];
            for (int i = 0; i < 3; ++i)
                line[i] += w[i] * plain + dw[i] * steep;
        }
    }
}

} // namespace stickslip
