#include "stickslip/scene/table/body_table.h"

#include "stickslip/scene/table/spheres_table.h"
#include "stickslip/scene/table/table_words.h"

namespace stickslip {

using namespace table;

namespace {

bool is_drucker_prager(const MaterialSettings& material)
{
    return material.model == MaterialModel::drucker_prager;
}
bool is_von_mises(const MaterialSettings& material)
{
    return material.model == MaterialModel::von_mises;
}
bool is_snow(const MaterialSettings& material)
{
    return material.model == MaterialModel::snow;
}
bool is_fluid(const MaterialSettings& material)
{
    return material.model == MaterialModel::fluid;
}

} // namespace

KindPtr<MaterialSettings> material_kind()
{
    using M = MaterialSettings;
    std::vector<Field<M>> fields = {
        required("density", &M::density, number(above(0)), "Mass per volume in the undeformed state.").unit("kg/m^3"),
        optional("model", &M::model,
            choice<MaterialModel>({
                {"linear", MaterialModel::linear},
                {"fixed_corotated", MaterialModel::fixed_corotated},
                {"neo_hookean", MaterialModel::neo_hookean},
                {"st_venant_kirchhoff", MaterialModel::st_venant_kirchhoff},
                {"corotated", MaterialModel::fixed_corotated},
                {"drucker_prager", MaterialModel::drucker_prager},
                {"von_mises", MaterialModel::von_mises},
                {"snow", MaterialModel::snow},
                {"fluid", MaterialModel::fluid},
            }),
            "Law of the stress. `linear` is valid for small rotations only. `corotated` is a synonym of "
            "`fixed_corotated`. `drucker_prager`, `von_mises`, `snow` and `fluid` are for mpm bodies only, `linear` "
            "and `st_venant_kirchhoff` are not for these: see [material points](#material-points)."),
        optional("young", &M::young, number(above(0)),
            "Young's modulus. Required for deformable and mpm bodies but of `fluid`, and for spheres without `kn`.")
            .unit("Pa"),
        optional("poisson", &M::poisson, number({.low = -1, .high = 0.5, .low_excluded = true, .high_excluded = true}),
            "Poisson's ratio. Required where `young` is."),
        optional("damping", &M::damping, number(at_least(0)),
            "Viscous damping time of deformable bodies and elastic mpm bodies. Viscous stress = this time x stiffness "
            "x strain rate.")
            .unit("s"),
        optional("friction_angle", &M::friction_angle,
            number({.low = 0, .high = 90, .low_excluded = true, .high_excluded = true}),
            "Angle of internal friction: layers that slide over each other at constant volume bear the shear stress "
            "`cohesion` + tan(`friction_angle`) x pressure.")
            .unit("degrees")
            .only("`drucker_prager`", "model", is_drucker_prager)
            .required_there(),
        optional("cohesion", &M::cohesion, number(at_least(0)), "Shear strength without pressure.")
            .unit("Pa")
            .only("`drucker_prager`", "model", is_drucker_prager),
        optional("yield_stress", &M::yield_stress, number(above(0)), "Yield stress in uniaxial tension.")
            .unit("Pa")
            .only("`von_mises`", "model", is_von_mises)
            .required_there(),
        optional("hardening_modulus", &M::hardening_modulus, number(at_least(0)),
            "By how much the yield stress grows per plastic strain.")
            .unit("Pa")
            .only("`von_mises`", "model", is_von_mises),
        optional("critical_compression", &M::critical_compression,
            number({.low = 0, .high = 1, .low_excluded = true, .high_excluded = true}),
            "Compression at which it yields.")
            .only("`snow`", "model", is_snow),
        optional("critical_stretch", &M::critical_stretch, number(above(0)), "Stretch at which it yields.")
            .only("`snow`", "model", is_snow),
        optional("hardening", &M::hardening, number(at_least(0)),
            "How fast the stiffness grows with compaction: by the factor exp(hardening (1 - plastic volume ratio)).")
            .only("`snow`", "model", is_snow),
        optional("bulk_modulus", &M::bulk_modulus, number(above(0)),
            "Pressure per compression. Sound travels with the root of `bulk_modulus` / `density`; with ten times the "
            "fastest speed of the flow, the density changes by 1 %.")
            .unit("Pa")
            .only("`fluid`", "model", is_fluid)
            .required_there(),
        optional("viscosity", &M::viscosity, number(at_least(0)), "Shear stress per rate of shear.")
            .unit("Pa s")
            .only("`fluid`", "model", is_fluid),
        optional("friction", &M::friction, number(with_infinity(at_least(0))),
            "Coefficient of friction. Of two materials the smaller value counts. Default: the value of the other "
            "material, else `contact.friction`."),
    };
    for (Field<M>& key : grain_keys())
        fields.push_back(std::move(key));
    return object<M>({"material", "Material parameters of bodies.",
                         "materials:\n  steel: {density: 7800, young: 2e11, poisson: 0.3, friction: 0.6}\n"},
        std::move(fields), &M::where);
}

} // namespace stickslip
