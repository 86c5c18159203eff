# SPDX-License-Identifier: MPL-2.0
"""What a run folder says of itself: frames, times, files of each part, up axis and camera. Knows nothing of Blender."""
import json
import os
import re
import xml.etree.ElementTree as ElementTree
from collections import OrderedDict
from dataclasses import dataclass, field

from . import vtp

FRAMES_KEPT = 4


@dataclass
class Camera:
    eye: tuple
    target: tuple
    angle: float            # degrees, vertical
    size: tuple             # pixels


@dataclass
class Frame:
    number: int
    time: float             # s
    files: dict             # part -> path


@dataclass
class Run:
    folder: str
    name: str
    frames: list
    up: str = "y"
    camera: Camera = None
    kept: OrderedDict = field(default_factory=OrderedDict)

    @property
    def parts(self):
        """Names of all parts, in the order in which they appear."""
        return list(dict.fromkeys(part for frame in self.frames for part in frame.files))

    @property
    def rate(self):
        """Frames a second; 24 if there is but one."""
        first, last = self.frames[0], self.frames[-1]
        return (last.number - first.number) / (last.time - first.time) if last.time > first.time else 24.0

    def frame_at(self, number):
        """The newest frame that is not later than `number`; the first one before that."""
        shown = self.frames[0]
        for frame in self.frames:
            if frame.number > number:
                break
            shown = frame
        return shown

    def read(self, path):
        """The part in a file, from the few kept in memory if it is there unchanged. Raises vtp.Damaged."""
        key = (path, stamp(path))
        part = self.kept.pop(key, None) or vtp.read(path)
        self.kept[key] = part
        while len(self.kept) > FRAMES_KEPT * len(self.parts):
            self.kept.popitem(last=False)
        return part


def stamp(path):
    """Changes whenever the file does; 0 if there is none."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def open_run(path):
    """The run of a folder, or of a file (run.pvd, run.json) in it. Raises vtp.Damaged."""
    folder = path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path))
    frames = _read_frames(folder, _read_numbers(folder))
    scene = _read_text(os.path.join(folder, "scene.yaml"), needed=False)
    up = re.search(r"^domain:\n(?: .*\n)*?  up: ([xyz])$", scene, re.M)
    name = re.search(r'^name: "?(.*?)"?$', scene, re.M)
    return Run(folder, name.group(1) if name else os.path.basename(os.path.abspath(folder)), frames,
               up.group(1) if up else "y", _read_camera(scene))


def _read_text(path, needed=True):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        if not needed:
            return ""
        raise vtp.Damaged(f"{path} is not there: no folder of a run") from None
    except (OSError, UnicodeDecodeError) as error:
        raise vtp.Damaged(f"{path}: {error}") from None


def _read_numbers(folder):
    """Time -> number of the frame, from run.json; empty if the folder has none (frames that were exported)."""
    path = os.path.join(folder, "run.json")
    text = _read_text(path, needed=False)
    try:
        return {frame["time"]: frame["frame"] for frame in json.loads(text)["frames"]} if text else {}
    except (ValueError, KeyError, TypeError) as error:
        raise vtp.Damaged(f"{path}: it lists no frames: {error!r}") from None


def _read_frames(folder, numbers):
    path = os.path.join(folder, "run.pvd")
    files = {}
    try:
        for entry in ElementTree.fromstring(_read_text(path)).iterfind("Collection/DataSet"):
            files.setdefault(float(entry.attrib["timestep"]), {})[entry.attrib["name"]] = os.path.join(folder, entry.attrib["file"])
    except (ElementTree.ParseError, KeyError, ValueError) as error:
        raise vtp.Damaged(f"{path}: damaged: {error!r}") from None
    if not files:
        raise vtp.Damaged(f"{path}: it lists no frames")
    times = sorted(files)
    return [Frame(numbers.get(time, k), time, files[time]) for k, time in enumerate(times)]


def _read_camera(scene):
    """The camera of a resolved scene, which has every value on a line of its own; None if it has none."""
    block = re.search(r"^camera:\n((?: .*\n)*)", scene, re.M)
    lines = dict(re.findall(r"^  (\w+): (.*)$", block.group(1), re.M)) if block else {}
    try:
        eye, target, size = (tuple(float(x) for x in lines[key].strip("[]").split(",")) for key in ("from", "to", "size"))
        return Camera(eye, target, float(lines["angle"]), size)
    except (KeyError, ValueError):
        return None
