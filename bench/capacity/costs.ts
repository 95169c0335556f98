/** What operations cost, as `npm run bench -- capacity-costs` has measured it last: what capacities are calculated from. */
import { readFileSync } from 'node:fs';
import { inProject } from '../../test/project.ts';

/** What a part of the service uses while check runs flow through it: milliseconds of CPU time a second. */
export interface Flow {
  /** without any run */
  idle: number;
  /** besides, as soon as there are a few runs a second, however many: commits of results and of read models */
  flowing: number;
  /** besides, for each run a second */
  each: number;
}

/** Where and when something was measured. */
export interface Measured {
  /** day */
  date: string;
  /** commit that was measured */
  commit: string;
  node: string;
  processor: string;
  cores: number;
  /** runnable processes, over a minute, before and after */
  load: [before: number, after: number];
}

export interface Costs {
  measured: Measured;
  /** a service of one machine, by kinds of threads */
  embedded: {
    /** the main thread: HTTP, scheduler, queue, workers */
    main: Flow;
    /** the thread that keeps read models up to date */
    engine: Flow;
    /** all other threads: SQLite, garbage collection */
    threads: Flow;
    /** processes that run checks */
    probes: Flow;
  };
  /** processes of a cluster, on stand-ins for its servers */
  cluster: {
    api: Flow;
    schedule: Flow;
    project: Flow;
    /** `run`, without the processes that it starts */
    run: Flow;
    probes: Flow;
    /** requests a second to EventStoreDB and MongoDB, of all processes */
    eventstoredb: Flow;
    mongodb: Flow;
  };
  /** the share of each read model in what a result costs to fold, 0 to 1, the largest first */
  models: Record<string, number>;
  /** milliseconds of CPU time of all threads, for a request to a service of one machine */
  requests: { post: number; get: number; list: number };
  /** the same for an e-mail about an incident, to one of many subscribers */
  mail: number;
  /** bytes on disk, or sent */
  bytes: {
    /** of a web result: in the log, in read models; and as JSON, on its way to a server or a reader */
    result: { log: number; models: number; json: number };
    /** of an incident */
    incident: { log: number; models: number };
  };
  /** bytes of memory */
  memory: {
    /** resident: the service without checks, with the checks that were measured, the largest process that runs them */
    idle: number;
    busy: number;
    probes: number;
    /** of the scheduler's heap, for a check */
    check: number;
  };
}

/** The last that were measured. */
export const measuredCosts = (): Costs =>
  JSON.parse(readFileSync(inProject('bench/capacity/costs.json'), 'utf8')) as Costs;
