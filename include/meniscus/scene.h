// SPDX-License-Identifier: MPL-2.0
// meniscus/scene.h - scene files: reading, checking, and making a world from them.
#ifndef MENISCUS_SCENE_H
#define MENISCUS_SCENE_H

#include "meniscus/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where a scene comes from. Either `path`, or `text` (with `bytes`, and `name` for messages).
typedef struct mn_scene_source {
    const char        *path;
    const char        *name, *text;
    size_t             bytes;
    const char        *variant;  ///< name of one of the scene's variants, or NULL
    const char *const *set;      ///< "key.key=value" each, applied last
    int                set_count;
} mn_scene_source;

typedef struct mn_scene mn_scene;

/// Read, resolve and check a scene. On failure mn_context_error() is "file:line:column: sentence".
MN_API mn_status mn_scene_load(mn_context *context, const mn_scene_source *source, mn_scene **out);
MN_API void      mn_scene_destroy(mn_scene **scene);
/// A world as the scene describes it, at time 0.
MN_API mn_status mn_scene_build(mn_scene *scene, mn_world **out);

MN_API const char *mn_scene_name(const mn_scene *scene);
/// The scene as resolved, every default written out, as YAML. Loading it again gives the same world.
MN_API const char *mn_scene_resolved(const mn_scene *scene);
/// Hash of the resolved scene and its files, leaving out end time, frame count, threads and output settings:
/// what must agree for a run to be continued.
MN_API uint64_t mn_scene_identity(const mn_scene *scene);

/// The parts a frame may have, by the words of `output.parts`. How each is made and looks: src/output/parts/parts.c.
// clang-format off
#define MN_OUTPUT_PART_LIST(X, COMMA) \
    X(PARTICLES, "particles") COMMA   \
    X(SURFACE,   "surface")   COMMA   \
    X(OBSTACLES, "obstacles") COMMA   \
    X(CLOTH,     "cloth")     COMMA   \
    X(YARN,      "yarn")      COMMA   \
    X(TUBES,     "tubes")     COMMA   \
    X(STAINS,    "stains")
/// The fields of parts that can be left out, by the words of `output.fields`.
#define MN_OUTPUT_FIELD_LIST(X)          \
    X(VELOCITY,       "velocity")        \
    X(VOLUME,         "volume")          \
    X(PRESSURE,       "pressure")        \
    X(SATURATION,     "saturation")      \
    X(SOLID_FRACTION, "solid_fraction")  \
    X(HELD,           "held")
// clang-format on

#define MN_OUTPUT_ITEM(name, word) MN_OUTPUT_##name,
typedef enum mn_output_part { MN_OUTPUT_PART_LIST(MN_OUTPUT_ITEM, ) MN_OUTPUT_PART_COUNT } mn_output_part;
typedef enum mn_output_field { MN_OUTPUT_FIELD_LIST(MN_OUTPUT_ITEM) MN_OUTPUT_FIELD_COUNT } mn_output_field;
#undef MN_OUTPUT_ITEM

typedef struct mn_output_def {
    bool part[MN_OUTPUT_PART_COUNT];  ///< those to write, by mn_output_part. Default all.
    /// Those to write, by mn_output_field: volume is of particles alone; pressure is of liquid, that of the last step
    /// (dyn/cm^2), 0 before the first; saturation, solid fraction and held are of fabric. Default velocity, volume,
    /// pressure; those of fabric if the scene has both fabric and liquid.
    bool   field[MN_OUTPUT_FIELD_COUNT];
    int    checkpoint_every;  ///< frames, >= 0; 0: only at the end. Default 10.
    int    checkpoint_keep;   ///< >= 1. Default 3.
    double disk_reserve;      ///< MB that must stay free; below it the run waits. Default 200.
} mn_output_def;

typedef struct mn_camera_def {
    bool   given;           ///< false: chosen from what is in the world
    double from[3], to[3];  ///< cm
    double angle;           ///< rad, vertical. Default 35 degrees.
    int    size[2];         ///< pixels. Default 960 x 540.
} mn_camera_def;

MN_API mn_domain_def mn_scene_domain(const mn_scene *scene);
MN_API mn_time_def   mn_scene_time(const mn_scene *scene);
MN_API mn_output_def mn_scene_output(const mn_scene *scene);
MN_API mn_camera_def mn_scene_camera(const mn_scene *scene);
/// The fabrics of the scene, in the order in which they are added to its world. Borrowed: valid as long as the scene.
MN_API int                  mn_scene_fabric_count(const mn_scene *scene);
MN_API const mn_fabric_def *mn_scene_fabric(const mn_scene *scene, int fabric);

/// Red, green and blue of the scene's liquid in pictures (mn_liquid_material); water's if it has none.
MN_API void mn_scene_liquid_colour(const mn_scene *scene, double colour[3]);
/// The pigments that liquids and stains of the scene bring, at most `most` of them; returns how many. One may come
/// twice.
MN_API int mn_scene_pigments(const mn_scene *scene, const mn_pigment **out, int most);

/// Translate a scene file of libWetCloth (XML) into a scene file, with meshes as OBJ files beside it. `to` ends in
/// .yaml. *listing says what was translated and names every element and attribute that was not; free with mn_text_free.
/// After a failure nothing is written, and the error is "file:line:column: sentence".
MN_API mn_status mn_scene_import(mn_context *context, const char *from, const char *to, char **listing);

/// Texts about the scene language itself, made from its one table. Free with mn_text_free.
MN_API mn_status mn_scene_schema(mn_context *context, char **json_schema);
MN_API mn_status mn_scene_reference(mn_context *context, char **markdown);
MN_API mn_status mn_scene_materials(mn_context *context, char **listing);
MN_API mn_status mn_scene_shapes(mn_context *context, char **listing);
MN_API void      mn_text_free(mn_context *context, char **text);

#ifdef __cplusplus
}
#endif
#endif
