// SPDX-License-Identifier: MPL-2.0
// fabric/operator.h - the implicit operator of fabric on the grid, and conjugate gradients with it (wet-fabric 5.9).
//
//     A u = (D + W^T (h^2 H + P + contact) W) u
//
// D is a diagonal over the faces: the mass of dry fabric, or with liquid that of the mixture. H is packed, P holds
// vertices to the world (pins, touches), contact acts on the gradient too.
#ifndef MN_FABRIC_OPERATOR_H
#define MN_FABRIC_OPERATOR_H

#include "contact/settle.h"
#include "fabric/fabric.h"

typedef struct mn_fabric_operator {
    mn_fabric            *q;
    const mn_point_faces *faces;
    const double         *mass;        ///< D
    double               *point;       ///< P, 6 per vertex (xx, yy, zz, yz, xz, xy)
    uint8_t              *held;        ///< vertices where it is not zero
    double               *v, *f;       ///< on vertices, 3 each: velocity and what answers it
    double               *m, *s;       ///< on vertices, 9 each, the same of gradients; NULL without contact
    double               *power;       ///< v f, per part of the matrix
    double               *r, *p, *ap;  ///< on faces, of conjugate gradients
    const double         *b;
    double               *u;
    double                alpha, beta, dt;
    double                least;  ///< square of the least b that residuals are measured against, in the norm of 1 / D
} mn_fabric_operator;

/// Forces that cancel further than this leave rounding, in the norm of 1 / D: fabric at rest, whose weight its pins or
/// a floor carry, is not solved for what is left of the two.
#define MN_FABRIC_CANCELS 1e-4

/// Room for all of it from the arena. `mass` is borrowed.
mn_status mn_fabric_operator_prepare(mn_fabric *q, mn_arena *arena, const double *mass, mn_fabric_operator *op);
/// b = W^T (impulses of the forces and of the touches, g cm/s), overwritten; P becomes that of pins and touches.
void mn_fabric_operator_load(mn_fabric_operator *op, const mn_touches *touches, double dt, double *b);
/// A start for the solve of A u = b, where b is `impulse` and a load: u = D^-1 (impulse + s W^T g), with g what the
/// forces at the end of this step will be if they go on as in the last two. It is exact where they do (fabric-operator
/// F2: u less D^-1 impulse is D^-1 W^T of forces on vertices); s is the best there is, so that a bad guess is no worse
/// than none.
void mn_fabric_operator_start(mn_fabric_operator *op, double dt, const double *impulse, const double *b, double *u);
/// The part of that start which the forces make, W^T g times the step, g cm/s on the faces; false: none are kept yet.
bool mn_fabric_operator_foresee(mn_fabric_operator *op, double dt, double *to);
/// Keep those forces, at the solution u and with the touches as they stand, for the starts of the next steps. Changes
/// P.
void mn_fabric_operator_keep_start(mn_fabric_operator *op, const mn_touches *touches, double dt, const double *u);
/// to = W^T (h^2 H + P + contact) W from: the operator without its diagonal D.
void mn_fabric_operator_multiply(mn_fabric_operator *op, const double *from, double *to);
/// Diagonal of that product on the faces, without the contact between fabrics: for preconditioners.
mn_status mn_fabric_operator_diagonal(const mn_fabric_operator *op, mn_arena *arena, double *diagonal);
/// Set op->least from the two parts of b: what is given on the faces, and the load of the forces of the fabric.
void mn_fabric_operator_measure(mn_fabric_operator *op, const double *impulse, const double *load);
/// Solve A u = b from u on, preconditioned by D, until the true residual is `tolerance` of b in the norm of 1 / D (of
/// op->least, if b is less). Iterations add to those in the report.
void mn_fabric_operator_solve(mn_fabric_operator *op, const double *b, double *u, double tolerance, int most,
                              mn_solve_report *report);
/// op->f (and op->s with contact) = (h^2 H + P + contact) W from, on vertices, and W from in op->v (op->m). Returns the
/// product of the two: how the operator without D curves along `from`.
double mn_fabric_operator_answer(mn_fabric_operator *op, const double *from);
/// u = D^-1 impulse, and op->p = D^-1 W^T g with the g of mn_fabric_operator_start.
void mn_fabric_operator_guess(mn_fabric_operator *op, double dt, const double *impulse, double *u);
/// P is that of the pins alone. Overwrites op->f.
void mn_fabric_operator_hold_pins(mn_fabric_operator *op);
/// Solve for u together with the touches, from the guess on, where `impulse` on faces and the forces of the fabric
/// drive it, until the residual with friction and all is as the solver of the model asks. Keeps the momentum, and
/// leaves the velocities of the vertices in op->v and the touches as they are there. Iterations add to those in the
/// report.
mn_status mn_fabric_operator_descend(mn_fabric_operator *op, mn_arena *arena, mn_touches *touches, double dt,
                                     const double *impulse, double *u, mn_solve_report *report);
/// Velocities of the vertices, op->v, from those of the faces.
void mn_fabric_operator_collect(mn_fabric_operator *op, const double *u);
/// The rows of H are balanced, so that a common velocity costs nothing; packed as floats, its columns then are so to
/// 1e-7 only, and conjugate gradients leave their own residual. One correction by a common velocity, along which H is
/// known to be zero, leaves the momentum of the whole exact. Leaves the velocities of the vertices in op->v.
void mn_fabric_operator_keep_momentum(mn_fabric_operator *op, const double *b, double *u);

/// Touches that can matter in this step, in the state they had at the velocity of the last one; v receives that
/// velocity.
mn_status mn_fabric_find_touches(mn_fabric *q, const mn_step *step, double *v, mn_touches *out);
/// Anchors after the step, for the state, at velocities v of the vertices.
void mn_fabric_keep_touches(mn_fabric *q, const mn_step *step, const double *v, const mn_touches *touches);

#endif
