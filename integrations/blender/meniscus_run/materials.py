# SPDX-License-Identifier: MPL-2.0
"""What the parts look like: clear water, cloth and yarn that are darker and glossier where wet, gray solids, stains."""
import bpy

from . import geometry, vtp

# Linear reflectances of the first four fabrics or obstacles, as the program's own pictures have them.
CLOTH = ((0.58, 0.50, 0.41), (0.17, 0.31, 0.47), (0.62, 0.25, 0.16), (0.42, 0.50, 0.32))
YARN = ((0.68, 0.50, 0.34), (0.20, 0.36, 0.50), (0.62, 0.24, 0.20), (0.70, 0.68, 0.62))
SOLID = ((0.42, 0.41, 0.40), (0.40, 0.36, 0.32), (0.32, 0.37, 0.42), (0.44, 0.46, 0.38))
LOOKS_WET = 0.01            # g/cm^2 of liquid that make stained cloth look as wet as it can
DARKEST = 0.45              # colour of cloth full of water, relative to dry


def for_part(sample):
    """The material of a part, made once a file: a user may change it, and it stays changed."""
    look = "spray" if sample.look == "liquid" and sample.kind != vtp.TRIANGLES else sample.look
    name, make = LOOKS[look](sample.arrays)
    return bpy.data.materials.get("Meniscus " + name) or _new("Meniscus " + name, make)


def _new(name, make):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    make(material)
    return material


# ---- nodes ----------------------------------------------------------------------------------------------------------

def _input(node, *names):
    """The input of the first of these names that there is: some were renamed in Blender 4."""
    return next(node.inputs[name] for name in names if name in node.inputs)


def _specular(shader):
    return _input(shader, "Specular", "Specular IOR Level")


def _add(material, kind, **properties):
    node = material.node_tree.nodes.new(kind)
    for name, value in properties.items():
        setattr(node, name, value)
    return node


def _link(material, output, socket):
    material.node_tree.links.new(output, socket)


def _principled(material, color, roughness):
    """The shader that a new material has, set to a dull surface."""
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*color, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    material.diffuse_color = (*color, 1.0)
    return shader


def _math(material, operation, value, factor):
    node = _add(material, "ShaderNodeMath", operation=operation, use_clamp=True)
    _link(material, value, node.inputs[0])
    node.inputs[1].default_value = factor
    return node.outputs[0]


def _ramp(material, value, dry, wet):
    """dry + (wet - dry) * value"""
    node = _add(material, "ShaderNodeMapRange")
    _link(material, value, node.inputs["Value"])
    node.inputs["To Min"].default_value, node.inputs["To Max"].default_value = dry, wet
    return node.outputs["Result"]


def _palette(material, shader, attribute, colors):
    """Colours by the number of the fabric or obstacle, in turn; returns the colour."""
    number = _add(material, "ShaderNodeAttribute", attribute_name=attribute)
    share = _math(material, "MODULO", number.outputs["Fac"], len(colors))
    share.node.use_clamp = False
    share = _math(material, "DIVIDE", share, len(colors))
    ramp = _add(material, "ShaderNodeValToRGB")
    ramp.color_ramp.interpolation = "CONSTANT"
    for k, color in enumerate(colors):
        # Half a step early: numbers are the same for all corners of a triangle, but not to the last bit.
        at = max(0.0, (k - 0.5) / len(colors))
        stop = ramp.color_ramp.elements[k] if k < 2 else ramp.color_ramp.elements.new(at)
        stop.position, stop.color = at, (*color, 1.0)
    _link(material, share, ramp.inputs["Fac"])
    _link(material, ramp.outputs["Color"], shader.inputs["Base Color"])
    return ramp.outputs["Color"]


# ---- looks ----------------------------------------------------------------------------------------------------------

def _fabric(name, palette, arrays):
    colored = "color" in arrays
    wet = "wetness" if "wetness" in arrays else "saturation" if "saturation" in arrays else None
    return " ".join([name] + ["colored"] * colored + [wet] * bool(wet)), lambda m: _make_fabric(m, palette, colored, wet)


def _make_water(material):
    """Glass of water's index; its shadow lets light through, which no affordable number of samples would find."""
    shader = _principled(material, (0.86, 0.95, 1.0), 0.0)
    _input(shader, "Transmission", "Transmission Weight").default_value = 1.0
    shader.inputs["IOR"].default_value = 1.333
    clear, rays, mix = (_add(material, "ShaderNode" + kind) for kind in ("BsdfTransparent", "LightPath", "MixShader"))
    clear.inputs["Color"].default_value = (0.80, 0.92, 1.0, 1.0)
    output = next(node for node in material.node_tree.nodes if node.type == "OUTPUT_MATERIAL")
    _link(material, rays.outputs["Is Shadow Ray"], mix.inputs[0])
    _link(material, shader.outputs[0], mix.inputs[1])
    _link(material, clear.outputs[0], mix.inputs[2])
    _link(material, mix.outputs[0], output.inputs["Surface"])
    material.diffuse_color = (0.25, 0.55, 0.80, 0.5)


def _make_fabric(material, palette, colored, wet):
    shader = _principled(material, palette[0], 0.9)
    _specular(shader).default_value = 0.2
    if colored:
        color = _add(material, "ShaderNodeAttribute", attribute_name=geometry.LIGHT).outputs["Color"]
        _link(material, color, shader.inputs["Base Color"])
    else:
        color = _palette(material, shader, "fabric", palette)
    if wet is None:
        return
    wetness = _add(material, "ShaderNodeAttribute", attribute_name=wet).outputs["Fac"]
    wetness = _math(material, "MULTIPLY", wetness, 1.0 / LOOKS_WET if wet == "wetness" else 1.0)
    _link(material, _ramp(material, wetness, 0.9, 0.25), shader.inputs["Roughness"])
    _link(material, _ramp(material, wetness, 0.2, 0.6), _specular(shader))
    if colored:
        return              # the colours of a file are those of wet cloth already
    darken = _add(material, "ShaderNodeVectorMath", operation="SCALE")
    _link(material, color, darken.inputs[0])
    _link(material, _ramp(material, wetness, 1.0, DARKEST), darken.inputs["Scale"])
    _link(material, darken.outputs[0], shader.inputs["Base Color"])


# What each look (vtp.LOOKS) becomes: the name of the material, and how it is made.
LOOKS = {
    "solid": lambda arrays: ("solid", lambda m: _palette(m, _principled(m, SOLID[0], 0.6), "obstacle", SOLID)),
    "liquid": lambda arrays: ("water", _make_water),
    "spray": lambda arrays: ("drops", lambda m: _principled(m, (0.10, 0.34, 0.62), 0.15)),
    "cloth": lambda arrays: _fabric("cloth", CLOTH, arrays),
    "fibre": lambda arrays: _fabric("yarn", YARN, arrays),
    "stain": lambda arrays: _fabric("cloth", CLOTH, arrays),
}
