#include "stickslip/scene/import/import_samples.h"

#include "stickslip/scene/text/scene_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace stickslip {

namespace {

constexpr int most_samples = 1000; // of a body, about, besides its vertices

/// Spacing s at which area / s^2 points of faces and edges / s of edges are that many.
double affordable_spacing(const ImportedBody& body)
{
    const double edges = body.edges / most_samples, area = body.area / most_samples;
    return 0.5 * (edges + std::sqrt(edges * edges + 4 * area));
}

double three_digits(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return std::strtod(text, nullptr);
}

} // namespace

std::string set_samples(std::vector<ImportedBody>& bodies)
{
    double feature = infinity;
    for (const ImportedBody& body : bodies)
        feature = std::min(feature, body.feature);
    if (!(feature < infinity))
        return "";
    int coarse = 0;
    for (ImportedBody& body : bodies) {
        if (body.sheet || body.world.empty())
            continue;
        const double wanted = 0.5 * feature, affordable = affordable_spacing(body);
        body.settings.sample = three_digits(std::max(wanted, affordable));
        coarse += affordable > wanted;
    }
    if (coarse == 0)
        return "";
    return "the smallest feature is " + number_text(three_digits(feature))
        + " m thick; the surface points (`sample`) of " + std::to_string(coarse)
        + " bodies are farther apart than half of it, about " + std::to_string(most_samples)
        + " a body: edges that cross between them are not detected";
}

} // namespace stickslip
