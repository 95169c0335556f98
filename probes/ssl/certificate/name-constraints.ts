import { GeneralName, type GeneralSubtrees, type NameConstraints } from '@peculiar/asn1-x509';
import ipaddr from 'ipaddr.js';
import { beginsWith, distinguishedName } from './distinguished-name.ts';
import { nameText } from './host-match.ts';
import type { Certificate } from './read-certificate.ts';

/**
 * The first name of a certificate that an authority above it is not permitted to certify (RFC 5280, 4.2.1.10); null if
 * all are permitted. Refuses names of a constrained kind that is not supported here.
 */
export const forbiddenName = (
  { names, subject }: Certificate,
  { permittedSubtrees, excludedSubtrees }: NameConstraints,
): string | null => {
  const all: GeneralName[] = [...names, ...(subject.length > 0 ? [new GeneralName({ directoryName: subject })] : [])];
  for (const name of all) {
    const kind = kindOf(name);
    if (!kind) continue;
    const permitted = ofKind(permittedSubtrees, kind);
    const isAllowed = permitted.length === 0 || permitted.some((base) => isWithin(name, base, kind, false));
    if (!isAllowed || ofKind(excludedSubtrees, kind).some((base) => isWithin(name, base, kind, true)))
      return name.directoryName ? distinguishedName(name.directoryName) : (nameText(name) ?? 'a name');
  }
  return null;
};

/** The number of comparisons {@link forbiddenName} makes: names times constraints. */
export const comparisons = (
  { names }: Pick<Certificate, 'names'>,
  { permittedSubtrees, excludedSubtrees }: NameConstraints,
): number => (names.length + 1) * ((permittedSubtrees?.length ?? 0) + (excludedSubtrees?.length ?? 0));

const KINDS = [
  ...(['dNSName', 'iPAddress', 'directoryName'] as const),
  ...(['rfc822Name', 'uniformResourceIdentifier', 'otherName', 'registeredID', 'x400Address', 'ediPartyName'] as const),
];
type Kind = (typeof KINDS)[number];

const kindOf = (name: GeneralName): Kind | undefined => KINDS.find((kind) => (name[kind] as unknown) !== undefined);

const ofKind = (trees: GeneralSubtrees | undefined, kind: Kind): GeneralName[] =>
  trees ? [...trees].map(({ base }) => base).filter((base) => kindOf(base) === kind) : [];

/** @param unknown the result for unsupported kinds of names */
const isWithin = (name: GeneralName, base: GeneralName, kind: Kind, unknown: boolean): boolean => {
  switch (kind) {
    case 'dNSName':
      return isBelow(name.dNSName ?? '', base.dNSName ?? '');
    case 'iPAddress':
      return isInRange(name.iPAddress ?? '', base.iPAddress ?? '');
    case 'directoryName':
      return (
        name.directoryName !== undefined && beginsWith(name.directoryName, base.directoryName ?? name.directoryName)
      );
    default:
      return unknown;
  }
};

/** A wildcard matches if every name it covers does. */
const isBelow = (name: string, base: string): boolean => {
  const [inner, outer] = [name.toLowerCase().replace(/\.$/, ''), base.toLowerCase().replace(/^\.|\.$/g, '')];
  if (outer === '' || inner.endsWith(`.${outer}`)) return true;
  return inner === outer && !base.startsWith('.');
};

const isInRange = (address: string, range: string): boolean => {
  if (!ipaddr.isValid(address) || !ipaddr.isValidCIDR(range)) return false;
  const [one, [base, bits]] = [ipaddr.parse(address), ipaddr.parseCIDR(range)];
  return one.kind() === base.kind() && one.match(base, bits);
};
