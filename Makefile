# SPDX-License-Identifier: MPL-2.0
# A front for the commands people use most. CMake with its presets does the work; see CONTRIBUTING.md.
.DEFAULT_GOAL := help
.PHONY: help deps build demo test bench plots gallery install check mutate soak asan tsan fuzz paraview-test blender-test python-test viewer-test usd-test clean

JOBS    ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX  ?= /usr/local
SECONDS_OF_FUZZING ?= 600

configure = cmake --preset $(1) $(if $(VERBOSE),,>/dev/null)
compile   = cmake --build --preset $(1) -j $(JOBS)

help:
	@echo "make demo                 install what is needed, build, run a splash on cloth with pictures"
	@echo "make test                 install what is needed, build, run the tests (a few minutes)"
	@echo "make check                the longer tests: many kills and resumes, all faults, all threads"
	@echo "make mutate               is a wrong program found? About a hundred wrongs, each against validation cases (ten minutes)"
	@echo "make soak                 a paddle in a basin for 100 000 steps (an hour or two)"
	@echo "make bench                build and run the benchmarks; compare with bench/records and add to it"
	@echo "make plots                the charts of docs/validation.md anew (needs python3)"
	@echo "make gallery              the pictures of docs/gallery anew (needs python3, about half an hour)"
	@echo "make install PREFIX=DIR   program, library, headers and scenes into DIR (default $(PREFIX))"
	@echo "make asan | tsan          the tests under the address and undefined, or thread, sanitizer"
	@echo "make fuzz                 every fuzz target for 10 minutes (needs clang)"
	@echo "make paraview-test        open runs in ParaView's Python (needs python3-paraview)"
	@echo "make blender-test         play runs in Blender (needs blender and python3-paraview)"
	@echo "make python-test          step worlds from Python (needs python3-numpy)"
	@echo "make viewer-test          open pages of runs in a browser (needs npm and chromium)"
	@echo "make usd-test             read exported USD with another parser (needs npm)"
	@echo "make clean                remove build/ and out/"

deps:
	@tools/install-deps

build: deps
	@$(call configure,release)
	@$(call compile,release)

demo: build
	@rm -rf out/splash-cloth
	build/release/meniscus run scenes/fabric/splash-cloth.yaml -o out/splash-cloth --pictures
	@echo "pictures:  out/splash-cloth/pictures/"
	@echo "ParaView:  out/splash-cloth/run.pvd"
	@echo "numbers:   out/splash-cloth/ledger.csv, or build/release/meniscus info out/splash-cloth"

test: build
	ctest --test-dir build/release --output-on-failure -j $(JOBS) -LE long

check: build
	ctest --test-dir build/release --output-on-failure
	MN_KILLS=50 test/robust/kill.sh build/release
	MN_FAULTS=20 test/robust/disk-faults.sh build/release build/release/test/librobust_shim.so
	cd build/release/test && ./robust_faults 500 && ./robust_explode 300 $$$$
	MN_SCENES=1000 test/robust/scenes.sh build/release
	build/release/meniscus verify --tier verify

mutate: deps
	tools/mutate --jobs $(JOBS)

soak: build
	build/release/test/scene_soak 100000
	build/release/test/scene_stain endure 100000

bench: build
	@bench/record build/release

plots: build
	tools/plot-dam-break build/release/meniscus docs

gallery: build
	tools/gallery build/release/meniscus docs/gallery

paraview-test blender-test python-test viewer-test usd-test: build
	@cmake --build --preset release --target $@

install: build
	cmake --install build/release --prefix $(PREFIX)

asan tsan: deps
	@$(call configure,$@)
	@$(call compile,$@)
	ctest --test-dir build/$@ --output-on-failure -j $(JOBS) -LE 'long|slow'

fuzz:
	@tools/install-deps --all
	@$(call configure,fuzz)
	@$(call compile,fuzz)
	tools/fuzz build/fuzz $(SECONDS_OF_FUZZING)

clean:
	rm -rf build out
