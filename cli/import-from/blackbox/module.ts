import type { Mapping } from '../read-yaml.ts';

/** A target that Prometheus probes, after relabelling. */
export interface ProbedTarget {
  /** the parameter `target` of the probe: a URL or a host, depending on the prober */
  target: string;
  /** the parameter `hostname` of the probe */
  hostname: string | null;
}

/** A module of the Blackbox exporter, and the target that it probes. */
export interface Probe extends ProbedTarget {
  /** the settings of the prober: the section `http`, `tcp`, … */
  settings: Mapping;
  /** Adds a sentence about the module, which is added once for all of its targets: `The module "x" ` and this text. */
  note: (rest: string) => void;
  /** Adds a sentence about the target: `The target "x" ` and this text. */
  noteTarget: (rest: string) => void;
}

/** The fields of a check that depend on the prober; null if the target is left out. */
export type Probed = { type: string; parameters: Record<string, unknown> } & Readonly<Record<string, unknown>>;
