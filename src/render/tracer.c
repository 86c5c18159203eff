// SPDX-License-Identifier: MPL-2.0
// render/tracer.c - Embree: one tree of what is opaque and one of what is clear, which shadow rays pass.
#include "render/tracer.h"

#ifdef MN_EMBREE

#include <embree3/rtcore.h>

#include <stdatomic.h>

struct mn_tracer {
    mn_context     *context;
    RTCDevice       device;
    RTCScene        opaque, clear;  // NULL: there is none
    const mn_thing *opaque_thing[64], *clear_thing[64];
    atomic_llong    bytes;
};

bool mn_tracer_available(void) { return true; }

const char *mn_tracer_missing(void) { return ""; }

static bool count_bytes(void *user, ssize_t bytes, bool post)
{
    mn_tracer *t = user;
    (void)post;
    atomic_fetch_add(&t->bytes, bytes);
    return true;
}

static RTCGeometry make_geometry(RTCDevice device, const mn_thing *t)
{
    static const enum RTCGeometryType types[] = { [MN_THING_TRIANGLES] = RTC_GEOMETRY_TYPE_TRIANGLE,
                                                  [MN_THING_CURVES]    = RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE,
                                                  [MN_THING_SPHERES]   = RTC_GEOMETRY_TYPE_SPHERE_POINT };
    RTCGeometry                       g       = rtcNewGeometry(device, types[t->kind]);
    const bool                        flat    = t->kind == MN_THING_TRIANGLES;
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, flat ? RTC_FORMAT_FLOAT3 : RTC_FORMAT_FLOAT4, t->point, 0,
                               sizeof *t->point, (size_t)t->point_count);
    if (flat)
        rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, t->index, 0, 3 * sizeof *t->index,
                                   (size_t)t->primitive_count);
    else if (t->index != NULL)
        rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, t->index, 0, sizeof *t->index,
                                   (size_t)t->primitive_count);
    rtcCommitGeometry(g);
    return g;
}

static bool is_clear(const mn_thing *t) { return t->finish == MN_FINISH_LIQUID || t->finish == MN_FINISH_GLASS; }

static RTCScene make_scene(mn_tracer *t, const mn_thing *things, int count, bool clear, const mn_thing **by_number)
{
    RTCScene scene = NULL;
    int      n     = 0;
    for (int k = 0; k < count && n < 64; k++) {
        if (things[k].primitive_count == 0 || is_clear(&things[k]) != clear) continue;
        if (scene == NULL) {
            scene = rtcNewScene(t->device);
            rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
            rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_MEDIUM);
        }
        RTCGeometry g = make_geometry(t->device, &things[k]);
        rtcAttachGeometryByID(scene, g, (unsigned)n);
        rtcReleaseGeometry(g);
        by_number[n++] = &things[k];
    }
    if (scene != NULL) rtcCommitScene(scene);
    return scene;
}

mn_status mn_tracer_create(mn_context *c, const mn_thing *things, int count, mn_tracer **out)
{
    mn_tracer *t = *out = mn_alloc(c, sizeof *t);
    if (t == NULL) return MN_ERR_MEMORY;
    t->context = c;
    MN_ASSERT(count <= 64);
    t->device = rtcNewDevice("threads=1,user_threads=1");
    if (t->device == NULL) {
        mn_tracer_destroy(out);
        return mn_fail(c, MN_ERR_STATE, "Embree could not be started: error %d", (int)rtcGetDeviceError(NULL));
    }
    rtcSetDeviceMemoryMonitorFunction(t->device, count_bytes, t);
    t->opaque                 = make_scene(t, things, count, false, t->opaque_thing);
    t->clear                  = make_scene(t, things, count, true, t->clear_thing);
    const enum RTCError error = rtcGetDeviceError(t->device);
    if (error == RTC_ERROR_NONE) return MN_OK;
    mn_tracer_destroy(out);
    return error == RTC_ERROR_OUT_OF_MEMORY
               ? mn_fail(c, MN_ERR_MEMORY, "memory for the trees of a picture could not be obtained")
               : mn_fail(c, MN_ERR_STATE, "Embree refused the scene: error %d", (int)error);
}

void mn_tracer_destroy(mn_tracer **tracer)
{
    mn_tracer *t = *tracer;
    if (t == NULL) return;
    if (t->opaque != NULL) rtcReleaseScene(t->opaque);
    if (t->clear != NULL) rtcReleaseScene(t->clear);
    if (t->device != NULL) rtcReleaseDevice(t->device);
    mn_free(t->context, t);
    *tracer = NULL;
}

int64_t mn_tracer_bytes(const mn_tracer *t) { return atomic_load(&t->bytes); }

bool mn_tracer_has_clear(const mn_tracer *t) { return t->clear != NULL; }

static struct RTCRay ray_of(mn_f3 from, mn_f3 d, float most)
{
    return (struct RTCRay){ .org_x = from.x,
                            .org_y = from.y,
                            .org_z = from.z,
                            .dir_x = d.x,
                            .dir_y = d.y,
                            .dir_z = d.z,
                            .tfar  = most,
                            .mask  = ~0u };
}

/// Replace `hit` if the tree has something nearer.
static void look_into(RTCScene scene, const mn_thing *const *things, mn_f3 from, mn_f3 d, float most, mn_hit *hit)
{
    struct RTCRayHit           r = { .ray = ray_of(from, d, most),
                                     .hit = { .geomID = RTC_INVALID_GEOMETRY_ID, .instID = { RTC_INVALID_GEOMETRY_ID } } };
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return;
    *hit = (mn_hit){ .thing     = things[r.hit.geomID],
                     .distance  = r.ray.tfar,
                     .primitive = r.hit.primID,
                     .u         = r.hit.u,
                     .v         = r.hit.v,
                     .face      = mn_f3_unit(mn_f3_of(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z), mn_f3_scale(-1.0f, d)) };
}

mn_hit mn_tracer_nearest(const mn_tracer *t, mn_f3 from, mn_f3 d, float most)
{
    mn_hit hit = { .distance = most };
    if (t->opaque != NULL) look_into(t->opaque, t->opaque_thing, from, d, most, &hit);
    if (t->clear != NULL) look_into(t->clear, t->clear_thing, from, d, hit.distance, &hit);
    return hit;
}

mn_hit mn_tracer_nearest_clear(const mn_tracer *t, mn_f3 from, mn_f3 d, float most)
{
    mn_hit hit = { .distance = most };
    if (t->clear != NULL) look_into(t->clear, t->clear_thing, from, d, most, &hit);
    return hit;
}

bool mn_tracer_blocked(const mn_tracer *t, mn_f3 from, mn_f3 d, float most)
{
    if (t->opaque == NULL) return false;
    struct RTCRay              ray = ray_of(from, d, most);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(t->opaque, &context, &ray);
    return ray.tfar < 0.0f;
}

#else

struct mn_tracer {
    int none;
};

bool mn_tracer_available(void) { return false; }

const char *mn_tracer_missing(void)
{
    return "this build cannot trace pictures since Embree 3 was not found when it was configured; install "
           "libembree-dev and build again";
}

mn_status mn_tracer_create(mn_context *c, const mn_thing *things, int count, mn_tracer **out)
{
    (void)things, (void)count;
    *out = NULL;
    return mn_fail(c, MN_ERR_STATE, "%s", mn_tracer_missing());
}

void mn_tracer_destroy(mn_tracer **tracer) { *tracer = NULL; }

int64_t mn_tracer_bytes(const mn_tracer *t)
{
    (void)t;
    return 0;
}

bool mn_tracer_has_clear(const mn_tracer *t)
{
    (void)t;
    return false;
}

mn_hit mn_tracer_nearest(const mn_tracer *t, mn_f3 from, mn_f3 d, float most)
{
    (void)t, (void)from, (void)d;
    return (mn_hit){ .distance = most };
}

mn_hit mn_tracer_nearest_clear(const mn_tracer *t, mn_f3 from, mn_f3 d, float most)
{
    return mn_tracer_nearest(t, from, d, most);
}

bool mn_tracer_blocked(const mn_tracer *t, mn_f3 from, mn_f3 d, float most)
{
    (void)t, (void)from, (void)d, (void)most;
    return false;
}

#endif
