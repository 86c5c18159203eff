// SPDX-License-Identifier: MPL-2.0
// elastic/rod_rest.c - frames of a pose, rest shapes, masses (elastic-rods 2, 4, 8).
#include "elastic/rod_network_private.h"

#include <string.h>

mn_rod_material mn_rod_material_default(void)
{
    return (mn_rod_material){ .radius         = 0.0037,
                              .young          = 3.9e10,
                              .shear          = mn_rod_shear_of_poisson(3.9e10, 0.36),
                              .density        = 1.32,
                              .viscosity      = 1e7,
                              .stretch_factor = 1.0 };
}

double mn_rod_shear_of_poisson(double young, double poisson) { return 0.5 * young / (1.0 + poisson); }

static mn_vec3 tangent_of(const mn_rod_network *net, int32_t e, const mn_vec3 *x)
{
    const mn_vec3 d = mn_sub3(x[net->edge[e].vertex[1]], x[net->edge[e].vertex[0]]);
    return mn_scale3(1.0 / mn_norm3(d), d);
}

/// Space-parallel frames along strand s; the first director is carried from the frame it has, if it has one.
static void frames_of_strand(mn_rod_network *net, int32_t s, const mn_vec3 *x)
{
    mn_vec3 before = mn_v3(0, 0, 0), director = before;
    for (int32_t e = net->first_edge[s]; e < net->first_edge[s + 1]; e++) {
        const mn_vec3 t = tangent_of(net, e, x);
        if (e == net->first_edge[s]) {
            const mn_vec3 old = mn_rod_get(net->edges.tangent, e);
            director          = mn_dot3(old, old) == 0.0 ? mn_rod_normal(t)
                                                         : mn_rod_transport(mn_rod_get(net->edges.director, e), old, t);
        } else {
            director = mn_rod_transport(director, before, t);
        }
        director = mn_rod_across(director, t);
        mn_rod_set(net->edges.tangent, e, t);
        mn_rod_set(net->edges.director, e, director);
        net->edges.angle[0][e] = net->edges.angle_rate[0][e] = 0.0;
        before                                               = t;
    }
}

void mn_rod_network_place(mn_rod_network *net, const mn_vec3 *x)
{
    for (int32_t s = 0; s < net->strand_count; s++) frames_of_strand(net, s, x);
    for (int32_t k = 0; k < net->corners.count; k++) {
        const mn_rod_joint *j = &net->joint[k];
        const mn_rod_side   e = mn_rod_network_side(net, j->edge[0], x, 0.0),
                          f   = mn_rod_network_side(net, j->edge[1], x, 0.0);
        // Near zero: the smallest twist is the one of a pose that nobody has wound up.
        net->corners.reference_twist[0][k] = 0.0;
        net->corners.reference_twist[0][k] = mn_rod_network_corner(net, k, &e, &f, 0.0, 0.0).strain.twist;
    }
    net->step = 0.0;
}

/// Rest strains from the frames of the rest pose, which the state holds now.
static void set_rest_strains(mn_rod_network *net, const mn_vec3 *rest)
{
    for (int32_t k = 0; k < net->corners.count; k++) {
        mn_rod_joint     *j = &net->joint[k];
        const mn_rod_side e = mn_rod_network_side(net, j->edge[0], rest, 0.0),
                          f = mn_rod_network_side(net, j->edge[1], rest, 0.0);
        j->rest             = mn_rod_network_corner(net, k, &e, &f, 0.0, 0.0).strain;

        // A junction of several edges keeps its pose; one of two edges is a strand mended, and follows its strand.
        const bool               own = k < net->first_corner[net->strand_count];
        const mn_rod_strand_def *s   = &net->strand[j->strand];
        if (!own && !j->mended) continue;
        const double curl = s->rest == MN_ROD_REST_STRAIGHT ? 0.0 : s->curl;
        for (int n = 0; n < 4; n++) j->rest.kappa[n / 2][n % 2] *= curl;
        // Between two strands the twist of the pose is only the choice of their first directors.
        if (own && s->rest == MN_ROD_REST_STRAIGHT) j->rest.twist = 0.0;
    }
}

void mn_rod_rest_from(mn_rod_network *net, const mn_vec3 *rest)
{
    mn_rod_network_place(net, rest);
    set_rest_strains(net, rest);
}

void mn_rod_network_masses(const mn_rod_network *net, double *vertex_mass, double *edge_inertia)
{
    for (int32_t e = 0; e < net->edges.count; e++) {
        const mn_rod_edge     *edge = &net->edge[e];
        const mn_rod_material *m    = &net->strand[edge->strand].material;
        const double           r2 = m->radius * m->radius, mass = m->density * MN_PI * r2 * edge->length;
        if (vertex_mass != NULL)
            for (int end = 0; end < 2; end++) vertex_mass[edge->vertex[end]] += 0.5 * mass;
        if (edge_inertia != NULL) edge_inertia[e] = 0.5 * mass * r2;
    }
}
