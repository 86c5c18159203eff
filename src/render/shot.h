// SPDX-License-Identifier: MPL-2.0
// render/shot.h - what is the same for all pictures of a run: eye, size, quality, the box of everything, the field
// shown.
#ifndef MN_RENDER_SHOT_H
#define MN_RENDER_SHOT_H

#include "draw/colormap.h"
#include "meniscus/render.h"
#include "render/thing.h"

/// Over half the shortest side of what is shown, water keeps this much of red, green and blue. Real water would need
/// metres for it; the eye expects depth to show at any scale.
#define MN_COLOUR_OF_WATER ((mn_f3){ 0.48f, 0.81f, 0.91f })

typedef struct mn_shot {
    int               width, height;
    mn_render_quality quality;
    mn_camera_def     camera;
    mn_f3             up;
    bool              level;  ///< a world of two dimensions
    bool              glass;  ///< obstacles are clear
    bool              fixed;  ///< the box is that of the domain
    mn_box_f          box;    ///< of everything that is ever shown
    mn_field_choice   field;
    mn_ticks          ticks;   ///< of its legend
    mn_dyes           dyes;    ///< pigments that liquid may carry
    mn_f3             liquid;  ///< what liquid keeps of light, as MN_COLOUR_OF_WATER
} mn_shot;

/// A draft as the scene's camera has it. The box is that of the domain if it has bounds, and empty otherwise.
mn_shot mn_shot_of(const mn_domain_def *domain, const mn_camera_def *camera);
/// Not wider than so many pixels.
void mn_shot_shrink(mn_shot *shot, int widest);
/// Without bounds: let the box hold these parts as well.
void mn_shot_include(mn_shot *shot, const mn_frame_part *parts, int count);
bool mn_shot_is_empty(const mn_shot *shot);
/// When all is included: an empty box becomes one to look at.
void mn_shot_settle(mn_shot *shot);
/// Without bounds: round the box outward, so that the eye does not tremble when parts of one frame are all that is
/// known.
void mn_shot_round(mn_shot *shot);
/// The colour of the liquid. Where there are pigments it is that of water, and theirs.
void mn_shot_colour_liquid(mn_shot *shot, const double colour[3]);
/// A pigment by whose concentration liquid is coloured.
void mn_shot_add_pigment(mn_shot *shot, const mn_pigment *pigment);

#endif
