#include "stickslip/apps/bench_cases.h"

namespace stickslip {

std::span<const BenchCase> bench_cases()
{
    static constexpr BenchCase cases[] = {
        {"five_cubes", "five_cubes", {}, "", "two soft cubes between three rigid ones, 200 steps"},
        {"soft_incline", "incline", 0.5, "bodies.cube.resolution=0.02", "a soft cube of 11^3 nodes slides, 50 steps"},
        {"card_house", "card_house", {}, "", "a house of cards stands for 3 s"},
        {"arch", "arch", {}, "", "an arch of 25 stones stands for 3 s"},
        {"struck_row", "struck_row", {}, "", "six boxes in a row are hit by a seventh, no friction"},
        {"cube_of_boxes", "cube_of_boxes", {}, "", "3 x 3 x 3 boxes, each 1e-6 m off its place"},
        {"bin_impact", "bin_of_boxes", 0.8, "", "a hundred boxes fall into a bin, first 0.8 s"},
        {"bin_of_boxes", "bin_of_boxes", {}, "", "the same to rest, 6 s"},
        {"bin_of_cylinders", "bin_of_cylinders", {}, "", "twelve cylinders are tossed into a bin"},
        {"bin_of_rings", "bin_of_rings", {}, "", "twelve rings are tossed into a bin"},
        {"bin_of_lumps", "bin_of_lumps", {}, "", "twelve knobbly meshes are tossed into a bin"},
        {"pile_start", "pile_of_boxes", 0.4, "", "a thousand boxes fall into a bin, first 0.4 s"},
        {"pile_impact", "pile_of_boxes", 1.0, "", "the same, first second: minutes"},
        {"pile_of_boxes", "pile_of_boxes", {}, "", "the same to rest, 6 s: long"},
        {"crumpling_rope", "crumpling_rope", {}, "", "a soft rope crumples and meets itself"},
        {"cube_of_particles", "cube_of_particles", {}, "", "11^3 material points slide down a slope, 60 steps"},
        {"floating_box", "floating_box", {}, "", "a box floats in a small tank of water"},
        {"still_pool", "still_pool", {}, "", "water stands in the same tank, 2 s"},
    };
    return cases;
}

} // namespace stickslip
