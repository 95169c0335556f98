/** Deployments as parts that need CPU time, and how many check runs a second each part can do. */
import type { Costs, Flow } from './costs.ts';

/** Processes, or threads of one, that do the same. */
export interface Part {
  name: string;
  /** of one process; `each` is divided among them */
  cost: Flow;
  processes: number;
  /** the least share of `each` that the process with the most work has, where it can't be divided evenly */
  largest?: number;
}

export interface Deployment {
  name: string;
  machines: number;
  /** of each machine, as fast as that which was measured */
  cores: number;
  /** runs that each process of `run` has under way at once in a region (`RUNNER_CONCURRENCY`) */
  places: number;
  /** whether this release can be run so */
  isPossible: boolean;
  parts: {
    /** reads due checks and offers their runs */
    schedule: Part;
    /** takes runs and stores results; the same processes as `schedule` on one machine */
    run: Part;
    /** examine targets */
    probes: Part;
    /** keeps read models up to date */
    project: Part;
    /** what else the threads of one machine do; null in a cluster, whose servers do it */
    threads: Part | null;
  };
}

/** Beyond this share of a core or a machine, queues grow with each burst. */
export const FULL = 0.8;
const SECOND = 1_000;

/** `RUNNER_CONCURRENCY` unless configured otherwise. */
const PLACES = 200;
export const PLACES_NAME = '`RUNNER_CONCURRENCY`';
/**
 * How long a run has its place: until its target has answered, 0.13 s on average here, and its result is stored with
 * those of up to 0.25 s.
 */
const HELD_SECONDS = 0.26;

export const oneMachine = ({ embedded }: Costs, cores: number, places = PLACES): Deployment => {
  const main: Part = { name: 'main thread', cost: embedded.main, processes: 1 };
  return {
    name: `one machine of ${cores.toString()} cores${places === PLACES ? '' : `, ${places.toString()} places`}`,
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
  /** processes of `project`, among which read models are divided by name */
  project?: number;
  run: number;
  /** divides checks among schedulers, and results among projectors, which this release can't do */
  partitioned?: boolean;
}

/** A cluster, without the machines of EventStoreDB and MongoDB. */
export const cluster = ({ cluster: costs, models }: Costs, size: ClusterSize): Deployment => {
  const { machines, cores, schedule = 1, project = 1, run, partitioned = false } = size;
  const split = project > 1 && !partitioned ? ', read models divided' : '';
  return {
    name: `cluster of ${machines.toString()}${partitioned ? ', partitioned' : split}`,
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

/** The parts, each once. */
export const partsOf = ({ parts }: Deployment): Part[] => [
  ...new Set(Object.values(parts).filter((part): part is Part => part !== null)),
];

/** Which share of `each` a process of a part has: the first one most, if it can't be divided evenly. */
export const shareOf = ({ processes, largest = 0 }: Part, index: number): number => {
  const most = Math.max(1 / processes, processes > 1 ? largest : 1);
  return index === 0 ? most : (1 - most) / (processes - 1);
};

/** Milliseconds of CPU time a second of one process of a part, with so many runs a second of the deployment. */
const demandOf = (part: Part, index: number, runs: number): number =>
  part.cost.idle + (runs > 0 ? part.cost.flowing : 0) + part.cost.each * shareOf(part, index) * runs;

/** Something that can be full. */
export interface Resource {
  name: string;
  /** 0 to 1, or more */
  utilisation: number;
}

/** What the busiest process of each part uses of a core, all together of all cores, and places; the fullest first. */
export const utilisationOf = (deployment: Deployment, runs: number): [Resource, ...Resource[]] => {
  const parts = partsOf(deployment);
  const total = parts.reduce(
    (sum, part) => sum + Array.from({ length: part.processes }, (_, index) => demandOf(part, index, runs)).reduce(add),
    0,
  );
  const cores: Resource = {
    name: 'cores',
    utilisation: total / (deployment.machines * deployment.cores * SECOND),
  };
  const all = parts.map((part) => ({ name: part.name, utilisation: demandOf(part, 0, runs) / SECOND }));
  const places: Resource = {
    name: PLACES_NAME,
    utilisation: (runs * HELD_SECONDS) / (deployment.places * deployment.parts.run.processes),
  };
  return [cores, places, ...all].sort((one, other) => other.utilisation - one.utilisation) as [Resource, ...Resource[]];
};

const add = (one: number, other: number): number => one + other;

export interface Capacity {
  /** runs a second until something is full (FULL) */
  runs: number;
  /** what that is */
  bottleneck: string;
}

/** Found by bisection: demand grows with runs. */
export const capacityOf = (deployment: Deployment): Capacity => {
  let [least, most] = [0, 1_000_000];
  while (most - least > 0.1) {
    const middle = (least + most) / 2;
    if (utilisationOf(deployment, middle)[0].utilisation < FULL) least = middle;
    else most = middle;
  }
  return { runs: least, bottleneck: utilisationOf(deployment, most)[0].name };
};

/** What is compared: machines of the same cores as those that were measured have. */
export const deploymentsOf = (costs: Costs): Deployment[] => [
  oneMachine(costs, 2),
  oneMachine(costs, 8),
  oneMachine(costs, 8, 1_000),
  cluster(costs, { machines: 3, cores: 4, run: 3 }),
  cluster(costs, { machines: 30, cores: 4, run: 26, project: 2 }),
  cluster(costs, { machines: 30, cores: 4, run: 26, schedule: 8, project: 8, partitioned: true }),
];
