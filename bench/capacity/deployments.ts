/**
 * Models deployments as parts that need CPU time, and calculates how many check runs per second a deployment can do.
 */
import type { Costs, Flow } from './costs.ts';
import { SECOND_MS } from '../../domain/time.ts';

/** A part of a deployment: several equal processes, or threads of one process. */
export interface Part {
  name: string;
  /** cost of one process; `each` is the cost of all processes together */
  cost: Flow;
  processes: number;
  /** the fraction of `each` that the busiest process takes, if the work can't be divided evenly */
  largest?: number;
}

export interface Deployment {
  name: string;
  machines: number;
  /** cores per machine, each as fast as a core of the measured machine */
  cores: number;
  /** number of concurrent runs of each `run` process in a region (`RUNNER_CONCURRENCY`) */
  places: number;
  /** whether this release supports the deployment */
  isPossible: boolean;
  parts: {
    /** reads due checks and offers their runs */
    schedule: Part;
    /** takes runs and stores results; in an embedded service, the same process as `schedule` */
    run: Part;
    /** run probes */
    probes: Part;
    /** updates read models */
    project: Part;
    /** the other threads of an embedded service; null in a cluster, where servers do the same work */
    threads: Part | null;
  };
}

/** Utilisation above which the queue of a core or a machine grows with each burst. */
export const FULL = 0.8;

/** Default of `RUNNER_CONCURRENCY`. */
const PLACES = 200;
export const CONCURRENCY_NAME = '`RUNNER_CONCURRENCY`';
/**
 * Average time for which a run occupies its slot, in seconds. First the target responds, after 0.13 s on average. Then
 * the result is stored in a batch, which waits up to 0.25 s.
 */
const HELD_SECONDS = 0.26;

export const oneMachine = ({ embedded }: Costs, cores: number, places = PLACES): Deployment => {
  const main: Part = { name: 'main thread', cost: embedded.main, processes: 1 };
  return {
    name: `one machine of ${cores} cores${places === PLACES ? '' : `, ${places} places`}`,
    machines: 1,
    cores,
    places,
    isPossible: true,
    parts: {
      schedule: main,
      run: main,
      probes: { name: 'probe processes', cost: embedded.probes, processes: cores },
      project: { name: 'thread of read models', cost: embedded.engine, processes: 1 },
      threads: { name: 'threads of SQLite', cost: embedded.threads, processes: 2 },
    },
  };
};

export interface ClusterSize {
  machines: number;
  cores: number;
  schedule?: number;
  /** number of `project` processes; each folds some of the read models */
  project?: number;
  run: number;
  /** whether checks are divided among schedulers, and results among projectors; this release does not support that */
  partitioned?: boolean;
}

/** Returns the model of a cluster, without the machines of EventStoreDB and MongoDB. */
export const cluster = ({ cluster: costs, models }: Costs, size: ClusterSize): Deployment => {
  const { machines, cores, schedule = 1, project = 1, run, partitioned = false } = size;
  const split = project > 1 && !partitioned ? ', read models divided' : '';
  return {
    name: `cluster of ${machines}${partitioned ? ', partitioned' : split}`,
    machines,
    cores,
    places: PLACES,
    isPossible: !partitioned,
    parts: {
      schedule: { name: 'schedule', cost: costs.schedule, processes: schedule },
      run: { name: 'run', cost: costs.run, processes: run },
      probes: { name: 'probe processes', cost: costs.probes, processes: run * (cores - 1) },
      project: {
        name: 'project',
        cost: costs.project,
        processes: project,
        ...(!partitioned && { largest: Math.max(...Object.values(models)) }),
      },
      threads: null,
    },
  };
};

/** Returns all parts of a deployment, without duplicates. */
export const partsOf = ({ parts }: Deployment): Part[] => [
  ...new Set(Object.values(parts).filter((part): part is Part => part !== null)),
];

/**
 * Returns the fraction of `each` that one process of a part takes. If the work can't be divided evenly, the first
 * process takes the largest fraction.
 */
export const shareOf = ({ processes, largest = 0 }: Part, index: number): number => {
  const most = Math.max(1 / processes, processes > 1 ? largest : 1);
  return index === 0 ? most : (1 - most) / (processes - 1);
};

/** Returns the CPU time that one process of a part needs at a number of runs per second, in milliseconds per second. */
const demandOf = (part: Part, index: number, runs: number): number =>
  part.cost.idle + (runs > 0 ? part.cost.flowing : 0) + part.cost.each * shareOf(part, index) * runs;

/** A resource with limited capacity. */
export interface Resource {
  name: string;
  /** from 0 (idle) to 1 (full); above 1 if more is needed than there is */
  utilisation: number;
}

/**
 * Returns the utilisation of three kinds of resources, the fullest first: a core, by the busiest process of each part;
 * all cores, by all processes; and run slots.
 */
export const utilisationOf = (deployment: Deployment, runs: number): [Resource, ...Resource[]] => {
  const parts = partsOf(deployment);
  const total = parts.reduce(
    (sum, part) => sum + Array.from({ length: part.processes }, (_, index) => demandOf(part, index, runs)).reduce(add),
    0,
  );
  const cores: Resource = {
    name: 'cores',
    utilisation: total / (deployment.machines * deployment.cores * SECOND_MS),
  };
  const all = parts.map((part) => ({ name: part.name, utilisation: demandOf(part, 0, runs) / SECOND_MS }));
  const places: Resource = {
    name: CONCURRENCY_NAME,
    utilisation: (runs * HELD_SECONDS) / (deployment.places * deployment.parts.run.processes),
  };
  return [cores, places, ...all].sort((one, other) => other.utilisation - one.utilisation) as [Resource, ...Resource[]];
};

const add = (one: number, other: number): number => one + other;

export interface Capacity {
  /** runs per second at which the first resource reaches {@link FULL} */
  runs: number;
  /** name of that resource */
  bottleneck: string;
}

/** Calculates the capacity by bisection, which works because the utilisation grows with the number of runs. */
export const capacityOf = (deployment: Deployment): Capacity => {
  let [least, most] = [0, 1_000_000];
  while (most - least > 0.1) {
    const middle = (least + most) / 2;
    if (utilisationOf(deployment, middle)[0].utilisation < FULL) least = middle;
    else most = middle;
  }
  return { runs: least, bottleneck: utilisationOf(deployment, most)[0].name };
};

/** Returns the deployments to compare. Unless stated otherwise, machines have as many cores as the measured one. */
export const deploymentsOf = (costs: Costs): Deployment[] => [
  oneMachine(costs, 2),
  oneMachine(costs, 8),
  oneMachine(costs, 8, 1_000),
  cluster(costs, { machines: 3, cores: 4, run: 3 }),
  cluster(costs, { machines: 30, cores: 4, run: 26, project: 2 }),
  cluster(costs, { machines: 30, cores: 4, run: 26, schedule: 8, project: 8, partitioned: true }),
];
