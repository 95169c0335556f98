import type { ResultStatus } from '../../domain/check-result/events.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import type { NetworkContext } from '../../network/context.ts';
import type { Memory } from './memory.ts';

/**
 * What went wrong, for programs:
 *
 * - `timeout`: the time ran out before there was a complete answer
 * - `lookup`, `connect`, `tls`, `protocol`: there is no complete answer, for this reason
 * - `status`, `content`, `redirect`, `size`: the answer is not as the check wants it
 * - `response_time`, `certificate`, `header`, `json`: the answer broke an assertion of this kind
 * - `target`: the target policy refused the address
 * - `answer`: a name server's answer is not as the check wants it
 * - `domain`: the registration of the domain ends soon
 * - `packet_loss`, `score`, `vulnerability`, `ports`: a limit or rule of this kind was broken
 * - `rights`: the runner may not do what the check asks for
 * - `script`: a script did not pass, or ended before it was done
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

/** What a run found out. */
export interface Outcome {
  status: ResultStatus;
  /** null when the status is `ok` */
  reason: Reason | null;
  /** whole milliseconds; null unless a complete answer came */
  response_time: number | null;
  /** a sentence for people; null when the status is `ok` */
  error_message: string | null;
  /** as the type's metadata schema defines it */
  check_metadata: Record<string, unknown>;
  /** files that the run has left, which whoever takes the outcome stores or removes; absent: none */
  files?: readonly OutcomeFile[];
  /** the runner was cut off from its network, as it has found itself: it says nothing about the target */
  suspect?: true;
}

/** A file that a run has left. */
export interface OutcomeFile {
  /** how `check_metadata` names it: `file:0` (domain/check/file-references.ts) */
  reference: string;
  role: 'screenshot' | 'video' | 'log';
  /** for people */
  name: string;
  media_type: string;
  /** name of the file in the folder of staged files (probes/staging.ts) */
  staged: string;
  /** bytes */
  size: number;
}

/** A definition that is ready to run: its texts are open. */
export interface RunnableCheck {
  type: CheckTypeName;
  url: string | null;
  host: string | null;
  port: number | null;
  /** seconds */
  timeout: number;
  parameters: Record<string, unknown>;
  /**
   * the values of the secrets that the check is bound to, by the environment variables through which a script reads
   * them; nothing that a run gives back holds one (masked-run.ts)
   */
  secrets: Readonly<Record<string, string>>;
}

/** The servers that are asked first for registrations of domains. */
export interface Registries {
  /** where the list of RDAP servers is (RFC 9224) */
  rdapBootstrapUrl: string;
  /** the server that refers to the WHOIS servers of registries; all are asked on the same port */
  whoisServer: { host: string; port: number };
}

/** A run's access to the outside; when its signal ends the run, it rejects with {@link RunAborted}. */
export interface RunContext extends NetworkContext {
  /** what earlier runs have found out */
  memory: Memory;
  /** a person asked for the run: everything is looked at anew, nothing is taken from memory */
  fresh: boolean;
  registries: Registries;
  /** where the files go that it leaves (probes/staging.ts); absent: nowhere */
  staging?: string;
}

/**
 * Runs a check of one type. It never throws for what a target does, ends by the check's timeout, and leaves no
 * socket, timer or file behind.
 *
 * @throws RunAborted the context's signal ended it
 * @throws OwnTrouble the runner itself could not run it; this says nothing about the target
 */
export type Run = (check: RunnableCheck, context: RunContext) => Promise<Outcome>;

/** The run was ended from outside; it has no outcome. */
export class RunAborted extends Error {
  constructor() {
    super('The run was ended before it was done.');
    this.name = 'RunAborted';
  }
}
