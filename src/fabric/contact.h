// SPDX-License-Identifier: MPL-2.0
// fabric/contact.h - contact between fabrics: which elements are pressed together, their stress and stiffness.
//
// The velocity gradient at an element is the mean of that at its vertices, and its stress goes back the same way. Every
// face it acts on then carries mass, and a product needs no weights beside those of the vertices.
#ifndef MN_FABRIC_CONTACT_H
#define MN_FABRIC_CONTACT_H

#include "contact/directors.h"
#include "fabric/fabric.h"

/// Elements whose compression stays below this are not in contact: their pressure is a hundredth of a layer's weight.
#define MN_CONTACT_LEAST 1e-3

/// The law of an element of a piece.
mn_contact_law mn_fabric_contact_law(const mn_fabric_piece *piece, bool yarn);
mn_directors   mn_fabric_directors(const mn_fabric *q, int64_t element);

/// Find the elements in contact, add their forces to step.force and step.moment, and keep their stiffness at the
/// directors that the present velocity leads to (wet-fabric 5.5).
mn_status mn_fabric_contact_begin(mn_fabric *q, mn_arena *arena, double dt);
/// Part of the product: from velocities v and moments m of the vertices to forces f += and moments s =, both scaled by
/// dt^2.
void mn_fabric_contact_multiply(mn_fabric *q, const double *v, const double *m, double *f, double *s);
/// Carry the transverse directors along with the motion of the step, and map them back. Counts crushed elements.
void mn_fabric_contact_end(mn_fabric *q, double dt, int64_t *crushed);

#endif
