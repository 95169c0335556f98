import {
  ANYWHERE,
  createTargetPolicy,
  RESERVED,
  type TargetPolicy,
  type TargetRules,
} from '../domain/target/policy.ts';

/** What every connection is refused, whatever allows it: this service's own servers, and where it listens itself. */
export type Reserved = Required<Pick<TargetRules, 'reserved' | 'listeners' | 'machine'>>;

/** What is reserved at present, and word of each change. */
export interface ReservedNow {
  now: () => Reserved;
  /** Calls back whenever any of it has changed. */
  onChange: (changed: () => void) => void;
}

/** The policy for targets that are not the operator's choice. @throws InvalidRange */
export const policyOf = (
  { policy, allow, deny }: Pick<TargetRules, 'policy' | 'allow' | 'deny'>,
  { reserved, listeners, machine }: Reserved,
): TargetPolicy =>
  createTargetPolicy({
    policy,
    ...(allow !== undefined && { allow }),
    ...(deny !== undefined && { deny }),
    ...{ reserved, listeners, machine },
  });

/** The same, which follows what is reserved. @throws InvalidRange */
export const livePolicyOf = (
  rules: Pick<TargetRules, 'policy' | 'allow' | 'deny'>,
  reserved: ReservedNow,
): TargetPolicy => {
  let latest = policyOf(rules, reserved.now());
  reserved.onChange(() => {
    latest = policyOf(rules, reserved.now());
  });
  return followed(() => latest);
};

/** A policy that is replaced while it is used. */
export const followed = (latest: () => TargetPolicy): TargetPolicy => ({
  refusal: (...asked) => latest().refusal(...asked),
  reservedPorts: (address) => latest().reservedPorts(address),
});

/** For servers that the operator has chosen: they may be at any address, but what a policy reserves stays refused. */
export const anyAddressOf = ({ reservedPorts }: TargetPolicy): TargetPolicy => ({
  refusal: (address, port) => (port !== null && reservedPorts(address).includes(port) ? RESERVED : null),
  reservedPorts,
});

/**
 * For connections to the service's own servers, the mail relay, and to RUNNER_ANCHORS, which are sent nothing: nobody
 * but the operator says where these are.
 */
export const OWN_SERVERS = ANYWHERE;

/** Refuses everything: nobody has said yet what may be connected to. */
export const NOWHERE: TargetPolicy = { refusal: () => 'not yet judged', reservedPorts: () => [] };
