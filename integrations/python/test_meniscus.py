#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Steps scenes through the package and holds its arrays against the ledger and against the program's own run.

    MENISCUS_LIBRARY=build/release/libmeniscus.so python3 integrations/python/test_meniscus.py build/release/meniscus scenes
"""
import copy
import csv
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

import meniscus

PROGRAM, SCENES = sys.argv[1:3]
SPLASH = os.path.join(SCENES, "fabric", "splash-cloth.yaml")
COFFEE = os.path.join(SCENES, "stain", "coffee-ring.yaml")


class Splash(unittest.TestCase):
    def setUp(self):
        self.world = meniscus.World(SPLASH, variant="small")

    def tearDown(self):
        self.world.close()

    def test_arrays_sum_to_the_ledger(self):
        w = self.world
        for _ in range(5):
            w.step()
        ledger, liquid = w.ledger, w.liquid
        self.assertEqual(ledger["particles"], liquid.count)
        self.assertAlmostEqual(ledger["liquid_bulk"] / liquid.volume.sum(), 1.0, places=12)
        speed = max(np.sqrt(sum(v * v for v in thing.velocity)).max() for thing in (liquid, *w.fabrics.values()))
        self.assertAlmostEqual(ledger["max_speed"], speed, places=9)
        held = sum(f.held.sum() for f in w.fabrics.values())
        self.assertAlmostEqual(ledger["liquid_fabric"], held, places=12)
        self.assertEqual(w.steps, 5)
        self.assertLess(abs(ledger["liquid_error"]), 1e-12)

    def test_fabric_has_triangles_of_its_own_vertices(self):
        for fabric in self.world.fabrics.values():
            self.assertLess(fabric.triangles.max(), len(fabric.position[0]))
            self.assertGreaterEqual(fabric.triangles.min(), 0)

    def test_arrays_are_read_only(self):
        with self.assertRaises(ValueError):
            self.world.liquid.volume[0] = 1.0

    def test_same_bits_as_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "run")
            subprocess.run([PROGRAM, "run", SPLASH, "--variant", "small", "--frames", "2", "-o", out, "--quiet"], check=True)
            with open(os.path.join(out, "ledger.csv")) as file:
                rows = list(csv.DictReader(file))
            self.world.run(until=float(rows[-1]["time"]))
            ledger = self.world.ledger
            for column in ("particles", "liquid_total", "momentum_y", "energy_kinetic", "energy_elastic"):
                self.assertEqual(float(rows[-1][column]), ledger[column], column)

    def test_a_saved_state_comes_back(self):
        w = self.world
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.state")
            w.step()
            w.save(path)
            before = w.hash
            w.step()
            self.assertNotEqual(w.hash, before)
            w.load(path)
            self.assertEqual(w.hash, before)


class Lifetimes(unittest.TestCase):
    """Nothing that Python does ends the interpreter or reads memory that is gone."""

    def test_a_closed_world_says_so(self):
        w = meniscus.World(SPLASH, variant="small")
        w.close()
        w.close()
        for name in ("time", "steps", "hash", "name", "resolved_scene", "ledger", "probes", "liquid", "fabrics", "stains"):
            with self.assertRaisesRegex(meniscus.Error, "closed", msg=name):
                getattr(w, name)
        for call in (w.step, w.end_frame, lambda: w.run(1.0), lambda: w.save("x.h5"), lambda: w.load("x.h5")):
            with self.assertRaisesRegex(meniscus.Error, "closed"):
                call()
        with self.assertRaisesRegex(meniscus.Error, "copied"):
            copy.copy(w)

    def test_arrays_outlive_steps_and_the_world(self):
        w = meniscus.World(SPLASH, variant="small")
        w.step()
        liquid, cloth = w.liquid, next(iter(w.fabrics.values()))
        heights, held = liquid.position[1], cloth.held
        kept = heights.copy(), held.copy()
        w.step()
        np.testing.assert_array_equal(heights, kept[0])
        self.assertIs(liquid.position[1], heights)
        with self.assertRaisesRegex(meniscus.Error, "moved on"):
            liquid.volume
        with self.assertRaises(AttributeError):
            liquid.colour
        w.close()
        np.testing.assert_array_equal(held, kept[1])
        with self.assertRaisesRegex(meniscus.Error, "closed"):
            cloth.velocity

    def test_arguments_that_c_would_cut(self):
        for threads in (2**40, 2**32, -1, 257):
            with self.assertRaisesRegex(meniscus.Error, "threads"):
                meniscus.World(SPLASH, variant="small", threads=threads)
        with self.assertRaisesRegex(meniscus.Error, "zero character"):
            meniscus.World(SPLASH + "\0.yaml")
        with meniscus.World(SPLASH, variant="small") as w:
            for until in (float("inf"), float("nan"), 0.0):
                with self.assertRaisesRegex(meniscus.Error, "a step must end"):
                    w.step(until=until)

    def test_an_interrupt_ends_a_step(self):
        with meniscus.World(SPLASH, variant="small") as w, meniscus.World(SPLASH, variant="small") as undisturbed:
            timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                while w.steps < 100000:
                    w.step()
            timer.join()
            undisturbed_steps = w.steps
            while undisturbed.steps < undisturbed_steps:
                undisturbed.step()
            self.assertEqual(w.hash, undisturbed.hash)
            w.step()


class Others(unittest.TestCase):
    def test_a_stain_keeps_its_pigment(self):
        with meniscus.World(COFFEE) as w:
            start = w.ledger["solute_total"]
            for _ in range(3):
                w.step()
            stain = next(iter(w.stains.values()))
            mass = sum(state[p].sum() for state in (stain.dissolved, stain.soaked, stain.adsorbed, stain.dried) for p in range(len(state)))
            self.assertGreater(start, 0.0)
            self.assertAlmostEqual(mass / start, 1.0, places=11)

    def test_a_wrong_scene_says_where(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong.yaml")
            with open(path, "w") as file:
                file.write("format: 1\ndomain: {cel: 1}\n")
            with self.assertRaisesRegex(meniscus.Error, r"wrong\.yaml:2:10: .*cell"):
                meniscus.World(path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
