/**
 * Costs of operations, as last measured by `npm run bench -- capacity-costs`. Capacities are calculated from these
 * costs.
 */
import { readFileSync } from 'node:fs';
import { inProject } from '../../test/project.ts';

/** CPU time that a part of the service uses at a steady rate of check runs, in milliseconds per second. */
export interface Flow {
  /** without any run */
  idle: number;
  /** additional time at any rate of at least a few runs per second, for commits of results and of read models */
  flowing: number;
  /** additional time for each run per second */
  each: number;
}

/** Where and when the costs were measured. */
export interface Measured {
  /** day of the measurement */
  date: string;
  /** commit of the measured code */
  commit: string;
  node: string;
  processor: string;
  cores: number;
  /** load average of the last minute, before and after the measurement */
  load: [before: number, after: number];
}

export interface Costs {
  measured: Measured;
  /** an embedded service, by kind of thread */
  embedded: {
    /** the main thread: HTTP, scheduler, queue, workers */
    main: Flow;
    /** the thread that updates read models */
    engine: Flow;
    /** all other threads: SQLite, garbage collection */
    threads: Flow;
    /** processes that run checks */
    probes: Flow;
  };
  /** the processes of a cluster, with stand-ins for EventStoreDB and MongoDB */
  cluster: {
    api: Flow;
    schedule: Flow;
    project: Flow;
    /** `run`, without its child processes */
    run: Flow;
    probes: Flow;
    /** requests per second of all processes to EventStoreDB (instead of CPU time) */
    eventstoredb: Flow;
    mongodb: Flow;
  };
  /** by read model: its fraction of the cost of folding a result, largest first */
  models: Record<string, number>;
  /** milliseconds of CPU time of all threads per request to an embedded service */
  requests: { post: number; get: number; list: number };
  /** milliseconds of CPU time of all threads for an e-mail about an incident to one of many subscribers */
  mail: number;
  /** bytes on disk, or sent */
  bytes: {
    /** of a web result: on disk in the log, on disk in read models, and as JSON when sent to a server or a reader */
    result: { log: number; models: number; json: number };
    /** of an incident, on disk */
    incident: { log: number; models: number };
  };
  /** bytes of memory */
  memory: {
    /**
     * resident memory of the service without checks; `busy`: with the measured checks; `probes`: of the largest probe
     * process
     */
    idle: number;
    busy: number;
    probes: number;
    /** heap of the scheduler per check */
    check: number;
  };
}

/** Reads the latest stored measurement. */
export const measuredCosts = (): Costs =>
  JSON.parse(readFileSync(inProject('bench/capacity/costs.json'), 'utf8')) as Costs;
