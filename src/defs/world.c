// SPDX-License-Identifier: MPL-2.0
// defs/world.c - the rows of the world: domain, time, solver, wind.
#include "defs/rows.h"

// --- domain, time, solver --------------------------------------------------------------------------------------------

static const char *const axis_words[]     = { "x", "y", "z", NULL };
static const char *const boundary_words[] = { "wall", "open", "periodic", NULL };
static const char *const wall_words[]     = { "slip", "no_slip", NULL };

static const mn_setting boundary_rows[] = {
    { "x", MN_SET_CHOICE, 0, .standard = "wall", .choices = boundary_words,
      .help = "both sides in x; a period is a whole multiple of 8 cells" },
    { "y", MN_SET_CHOICE, sizeof(mn_boundary), .standard = "wall", .choices = boundary_words,
      .help = "both sides in y" },
    { "z", MN_SET_CHOICE, 2 * sizeof(mn_boundary), .standard = "wall", .standard_2d = "periodic",
      .choices = boundary_words, .help = "both sides in z; a two-dimensional domain is always periodic in z" },
};
static const mn_section section_boundary = {
    .title = "boundary", .settings = boundary_rows, .count = 3, .spread = true
};

static const mn_setting domain_rows[] = {
    { "dimension", MN_SET_INTEGER, AT(mn_domain_def, dimension), NULL, 2, 3, .standard = "3",
      .help = "2 or 3; two is one cell deep in z, periodic in depth and 1 cm thick" },
    { "cell", MN_SET_NUMBER, AT(mn_domain_def, cell), "cm", 0.0, 1e6, .standard = "0.5", .flags = MN_SET_ABOVE,
      .help = "edge of a cell of the grid" },
    { "gravity", MN_SET_VECTOR, AT(mn_domain_def, gravity), "cm/s^2", .standard = "[0, -981, 0]",
      .help = "acceleration by gravity" },
    { "up", MN_SET_CHOICE, AT(mn_domain_def, up), .standard = "y", .choices = axis_words,
      .help = "axis along which heights are measured" },
    { "bounds", MN_SET_BOUNDS, AT(mn_domain_def, bounds), "cm", .flags = MN_SET_OPTIONAL,
      .help = "low and high corner; without it the domain has no end" },
    { "boundary", MN_SET_SECTION, AT(mn_domain_def, boundary), .section = &section_boundary,
      .help = "what the bounds are, per axis or one word for all" },
    { "wall", MN_SET_CHOICE, AT(mn_domain_def, wall), .standard = "slip", .choices = wall_words,
      .help = "of the bounds that are walls" },
};
const mn_section mn_section_domain = SECTION_OF(mn_domain_def, "domain", domain_rows);

static const mn_setting time_rows[] = {
    { "end", MN_SET_NUMBER, AT(mn_time_def, end), "s", 0.0, NO_LIMIT, .standard = "1", .flags = MN_SET_ABOVE,
      .help = "when the run ends: with the first frame at or after this time" },
    { "frame_rate", MN_SET_NUMBER, AT(mn_time_def, frame_rate), "1/s", 0.0, 1e9, .standard = "60",
      .flags = MN_SET_ABOVE, .help = "frames per second" },
    { "dt_max", MN_SET_NUMBER, AT(mn_time_def, dt_max), "s", 1e-12, 1e9, .standard = "0.016666666666666666",
      .help = "longest step" },
    { "dt_min", MN_SET_NUMBER, AT(mn_time_def, dt_min), "s", 0.0, 1e9, .standard = "1e-08", .flags = MN_SET_ABOVE,
      .help = "shortest step; a run that needs a shorter one gives up" },
    { "cfl", MN_SET_NUMBER, AT(mn_time_def, cfl), NULL, 0.0, 4.0, .standard = "1", .flags = MN_SET_ABOVE,
      .help = "cells a particle may cross in one step" },
    { "seed", MN_SET_SEED, AT(mn_time_def, seed), .standard = "1", .help = "of every random number" },
};
const mn_section mn_section_time = SECTION_OF(mn_time_def, "time", time_rows);

static const char *const extrapolation_words[] = { "average", "linear", NULL };
static const char *const mixture_words[] = { "auto", "coupled", "split", NULL };  // in the order of mn_mixture_solve
static const char *const truth_words[]   = { "false", "true", NULL };

static const mn_setting pressure_rows[] = {
    { "tolerance", MN_SET_NUMBER, AT(mn_solver_def, pressure_tolerance), NULL, 0.0, 0.1, .standard = "1e-06",
      .flags = MN_SET_ABOVE, .help = "relative true residual" },
    { "iterations", MN_SET_INTEGER, AT(mn_solver_def, pressure_iterations), NULL, 1, 1000000, .standard = "200",
      .help = "most iterations allowed" },
};
static const mn_setting viscosity_rows[] = {
    { "tolerance", MN_SET_NUMBER, AT(mn_solver_def, viscosity_tolerance), NULL, 0.0, 0.1, .standard = "1e-08",
      .flags = MN_SET_ABOVE, .help = "relative true residual" },
};
static const mn_setting density_rows[] = {
    { "rate", MN_SET_NUMBER, AT(mn_solver_def, density_rate), NULL, 0.0, 1.0, .standard = "0.2",
      .help = "share of the density error removed per reference step" },
    { "tolerance", MN_SET_NUMBER, AT(mn_solver_def, density_tolerance), NULL, 0.0, 0.1, .standard = "0.0001",
      .flags = MN_SET_ABOVE, .help = "relative residual of that solve" },
};
static const mn_setting solid_rows[] = {
    { "tolerance", MN_SET_NUMBER, AT(mn_solver_def, solid_tolerance), NULL, 0.0, 0.1, .standard = "0.001",
      .flags = MN_SET_ABOVE, .help = "relative residual" },
    { "iterations", MN_SET_INTEGER, AT(mn_solver_def, solid_iterations), NULL, 1, 1000000, .standard = "2000",
      .help = "most iterations allowed" },
};
static const mn_section section_solid     = SECTION("solid", solid_rows);
static const mn_section section_pressure  = SECTION("pressure", pressure_rows);
static const mn_section section_viscosity = SECTION("viscosity", viscosity_rows);
static const mn_section section_density   = SECTION("density", density_rows);

static const mn_setting solver_rows[] = {
    { "pressure", MN_SET_SECTION, 0, .section = &section_pressure, .help = "the pressure solve" },
    { "viscosity", MN_SET_SECTION, 0, .section = &section_viscosity, .help = "the viscosity solve" },
    { "density", MN_SET_SECTION, 0, .section = &section_density, .help = "the correction of the particle density" },
    { "affine_damping", MN_SET_NUMBER, AT(mn_solver_def, affine_damping), "1/s", 0.0, 1e9, .standard = "0",
      .help = "decay of the local rotation and shear that particles carry" },
    { "velocity_memory", MN_SET_NUMBER, AT(mn_solver_def, velocity_memory), "s", 0.0, 1e9, .standard = "0",
      .help = "time in which particles forget what the faces of the grid do not see of their velocity; 0: in every "
              "step, so that short steps lose more" },
    { "extrapolation", MN_SET_CHOICE, AT(mn_solver_def, extrapolation), .standard = "average",
      .choices = extrapolation_words, .help = "of the velocity into air" },
    { "solid", MN_SET_SECTION, 0, .section = &section_solid, .help = "the implicit solve of fabrics" },
    { "mixture", MN_SET_CHOICE, AT(mn_solver_def, mixture), .standard = "auto", .choices = mixture_words,
      .help = "wet fabric and pressure in one system or one after the other; auto: coupled where the split is known to "
              "go wrong" },
    { "buoyancy", MN_SET_FLAG, AT(mn_solver_def, buoyancy), .standard = "true", .choices = truth_words,
      .help = "whether the pressure of liquid acts on fabric; false only to compare" },
};
const mn_section mn_section_solver = SECTION_OF(mn_solver_def, "solver", solver_rows);

static const mn_setting wind_rows[] = {
    { "velocity", MN_SET_VECTOR, AT(mn_wind_def, velocity), "cm/s", .standard = "[0, 0, 0]",
      .help = "of the air, far from everything" },
    { "gust", MN_SET_NUMBER, AT(mn_wind_def, gust), NULL, 0.0, 1.0, .standard = "0",
      .help = "share of the speed by which it swells and turns" },
    { "density", MN_SET_NUMBER, AT(mn_wind_def, density), "g/cm^3", 0.0, 1e3, .standard = "0.0012",
      .help = "of the air" },
};
const mn_section mn_section_wind = SECTION_OF(mn_wind_def, "wind", wind_rows);
