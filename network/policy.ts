import {
  ANYWHERE,
  createTargetPolicy,
  RESERVED,
  type TargetPolicy,
  type TargetRules,
} from '../domain/target/policy.ts';

/** Targets that every policy refuses: the service's own servers and its own listening ports. */
export type Reserved = Required<Pick<TargetRules, 'reserved' | 'listeners' | 'machine'>>;

/** The current reserved targets, with notification of changes. */
export interface ReservedNow {
  now: () => Reserved;
  /** Calls back after each change. */
  onChange: (changed: () => void) => void;
}

/** The policy for targets that the operator did not choose. @throws InvalidRange */
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

/** Like {@link policyOf}, but follows changes of the reserved targets. @throws InvalidRange */
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

/** A policy that may be replaced while in use. */
export const followed = (latest: () => TargetPolicy): TargetPolicy => ({
  refusal: (...asked) => latest().refusal(...asked),
  reservedPorts: (address) => latest().reservedPorts(address),
});

/** The policy for servers that the operator has chosen: they may have any address, except what a policy reserves. */
export const anyAddressOf = ({ reservedPorts }: TargetPolicy): TargetPolicy => ({
  refusal: (address, port) => (port !== null && reservedPorts(address).includes(port) ? RESERVED : null),
  reservedPorts,
});

/**
 * The policy for connections to the service's own servers, the mail relay and RUNNER_ANCHORS (which receive no data):
 * only the operator sets their addresses.
 */
export const OWN_SERVERS = ANYWHERE;

/** Refuses everything, until a runner has received its policy. */
export const NOWHERE: TargetPolicy = { refusal: () => 'not yet judged', reservedPorts: () => [] };
