#!/usr/bin/env python3
"""The script that makes training traces: it makes the bundled one, and one of 64 ranks that is simulated to its end.

    training_trace_test.py PROGRAM SOURCE
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def main(program, source):
    script = [sys.executable, "-B", str(source / "scripts/make-training-trace")]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        small = "--data 2 --tensor 2 --pipeline 2 --layers 4 --microbatches 2 --forward-micros 4 --activation-bytes 16384 --gradient-bytes 65536"
        subprocess.run([*script, folder / "rank", *small.split()], check=True)
        for rank in range(8):
            made, bundled = (where / f"rank.{rank}.et" for where in (folder, source / "data/workloads/training8"))
            assert made.read_bytes() == bundled.read_bytes(), f"data/workloads/training8 is not what the script makes: {bundled}"
        # 8 replicas, 4 ranks a layer, 2 stages; 8 layers, 4 microbatches.
        subprocess.run([*script, folder / "step", "--activation-bytes", "4096", "--gradient-bytes", "16384"], check=True)
        command = [program, "simulate", "fattree3:8", "--engine", "ftree", "--workload", f"chakra:{folder / 'step'}", "--timeline", folder / "t.json", "--json"]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
        report = json.loads(run.stdout)
        activations = 64 * 4 * 4 * 2 * 2 * 3  # ranks, layers of a stage, microbatches, both ways, twice around a ring of 4
        gradients = 64 * 4 * 2 * 7  # a ring of 8
        between = 32 * 4 * 2
        assert report["complete"] and report["messages"] == activations + gradients + between, report["messages"]
        events = [event for event in json.loads((folder / "t.json").read_text())["traceEvents"] if event["ph"] == "X"]
        assert len({event["pid"] for event in events}) == 64
        # Each rank computes all its layers for all microbatches, forward and backward, and ends with an update of its weights.
        for rank in range(64):
            computed = [event for event in events if event["pid"] == rank and event["cat"] == "computation" and event["args"]["node"] > 0]
            assert len(computed) == 4 * 4 * 2 + 1 and max(computed, key=lambda event: event["ts"])["name"] == "update weights"
        assert round(1000 * max(event["ts"] + event["dur"] for event in events)) == report["completion_time_ns"]


main(sys.argv[1], pathlib.Path(sys.argv[2]))
