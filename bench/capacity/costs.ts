/** Costs of operations as last measured by `npm run bench -- capacity-costs`; capacities are calculated from them. */
import { readFileSync } from 'node:fs';
import { inProject } from '../../test/project.ts';

/** CPU time that a part of the service uses while check runs flow through it, in milliseconds per second. */
export interface Flow {
  /** without any run */
  idle: number;
  /**
   * in addition, once there are a few runs per second, independent of their number: commits of results and read models
   */
  flowing: number;
  /** in addition, per run per second */
  each: number;
}

/** Where and when the costs were measured. */
export interface Measured {
  /** day */
  date: string;
  /** commit that was measured */
  commit: string;
  node: string;
  processor: string;
  cores: number;
  /** load average of a minute, before and after */
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
  /** processes of a cluster, on stand-ins for its servers */
  cluster: {
    api: Flow;
    schedule: Flow;
    project: Flow;
    /** `run`, without its child processes */
    run: Flow;
    probes: Flow;
    /** requests per second to EventStoreDB and MongoDB, of all processes */
    eventstoredb: Flow;
    mongodb: Flow;
  };
  /** the fraction of each read model in the cost of folding a result, largest first */
  models: Record<string, number>;
  /** milliseconds of CPU time of all threads per request to an embedded service */
  requests: { post: number; get: number; list: number };
  /** the same for an e-mail about an incident, to one of many subscribers */
  mail: number;
  /** bytes on disk, or sent */
  bytes: {
    /** of a web result: in the log, in read models; and as JSON, for transfer to a server or a reader */
    result: { log: number; models: number; json: number };
    /** of an incident */
    incident: { log: number; models: number };
  };
  /** bytes of memory */
  memory: {
    /** resident: the service without checks, the service with the measured checks, the largest probe process */
    idle: number;
    busy: number;
    probes: number;
    /** scheduler heap per check */
    check: number;
  };
}

/** The latest stored measurement. */
export const measuredCosts = (): Costs =>
  JSON.parse(readFileSync(inProject('bench/capacity/costs.json'), 'utf8')) as Costs;
