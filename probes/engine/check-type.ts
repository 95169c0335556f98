import type { ResultStatus } from '../../domain/check-result/events.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import type { NetworkContext } from '../../network/context.ts';
import type { RunCache } from './run-cache.ts';

/**
 * The kind of failure, for programs:
 * - `timeout`: the time ran out before there was a complete response
 * - `lookup`, `connect`, `tls`, `protocol`: there is no complete response, for this reason
 * - `status`, `content`, `redirect`, `size`: the response violates the check's expectations
 * - `response_time`, `certificate`, `header`, `json`: the response violates an assertion of this kind
 * - `target`: the target policy refused the address
 * - `answer`: a name server's answer violates the check's expectations
 * - `domain`: the registration of the domain expires soon
 * - `packet_loss`, `score`, `vulnerability`, `ports`: a limit or rule of this kind was broken
 * - `rights`: the runner lacks permission for what the check needs
 * - `script`: a script failed, or ended early
 * - `secret`: a secret that the check is bound to can't be read
 */
export type Reason =
  | 'timeout'
  | 'lookup'
  | 'connect'
  | 'tls'
  | 'protocol'
  | 'status'
  | 'content'
  | 'redirect'
  | 'size'
  | 'response_time'
  | 'certificate'
  | 'header'
  | 'json'
  | 'target'
  | 'answer'
  | 'domain'
  | 'packet_loss'
  | 'score'
  | 'vulnerability'
  | 'ports'
  | 'rights'
  | 'script'
  | 'secret';

/** The result of a run. */
export interface Outcome {
  status: ResultStatus;
  /** null if the status is `ok` */
  reason: Reason | null;
  /** in whole milliseconds; null without a complete response */
  response_time: number | null;
  /** a sentence for people; null if the status is `ok` */
  error_message: string | null;
  /** conforms to the type's metadata schema */
  check_metadata: Record<string, unknown>;
  /** files that the run has created (absent: none); the receiver of the outcome must store or remove them */
  files?: readonly OutcomeFile[];
  /** the runner itself had no network access, so the outcome says nothing about the target */
  suspect?: true;
}

/** A file that a run has created. */
export interface OutcomeFile {
  /** the reference to this file in `check_metadata`: `file:0` (domain/check/file-references.ts) */
  reference: string;
  role: 'screenshot' | 'video' | 'log';
  /** name that is shown to users */
  name: string;
  media_type: string;
  /** name in the staging folder (probes/staging.ts) */
  staged: string;
  /** in bytes */
  size: number;
}

/** The definition of a check, ready to run: its sealed texts are decrypted. */
export interface RunnableCheck {
  type: CheckTypeName;
  url: string | null;
  host: string | null;
  port: number | null;
  /** in seconds */
  timeout: number;
  parameters: Record<string, unknown>;
  /**
   * values of the secrets that the check is bound to, by the name of the environment variable in which a script finds
   * each value; probes/engine/masked-run.ts removes them from outcomes
   */
  secrets: Readonly<Record<string, string>>;
}

/** The first servers to query for the registration of a domain. They refer to the registries' servers. */
export interface Registries {
  /** URL of the list of RDAP servers (RFC 9224) */
  rdapBootstrapUrl: string;
  /** the server that refers to the registries' WHOIS servers; all are queried on the same port */
  whoisServer: { host: string; port: number };
}

/** A run's access to the network and shared state. When its signal aborts, the run rejects with {@link RunAborted}. */
export interface RunContext extends NetworkContext {
  /** cache shared by runs */
  memory: RunCache;
  /** whether a person requested the run, so that it must bypass the cache */
  fresh: boolean;
  registries: Registries;
  /** the folder for files that the run creates (probes/staging.ts); absent: files are not created */
  staging?: string;
}

/**
 * Runs a check of one type. Returns failures of the target as an outcome, ends within the check's timeout, and leaves
 * no socket, timer or file behind.
 *
 * @throws RunAborted if the context's signal aborted the run
 * @throws LocalFailure if the runner itself failed, which says nothing about the target
 */
export type Run = (check: RunnableCheck, context: RunContext) => Promise<Outcome>;

/** The run was aborted and has no outcome. */
export class RunAborted extends Error {
  constructor() {
    super('The run was ended before it was done.');
    this.name = 'RunAborted';
  }
}
