#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Steps scenes through the package and holds its arrays against the ledger and against the program's own run.

    MENISCUS_LIBRARY=build/release/libmeniscus.so python3 integrations/python/test_meniscus.py build/release/meniscus scenes
"""
import csv
import os
import subprocess
import sys
import tempfile
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
