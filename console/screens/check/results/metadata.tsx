import type { JSX } from 'preact';
import { words } from '../../../shell/language.ts';
import type { Check } from '../source.ts';
import { CertificatePart, isCertificateResult } from './parts/certificate.tsx';
import { DnsPart } from './parts/dns.tsx';
import { LegacyScriptPart } from './parts/legacy-script.tsx';
import { PingPart } from './parts/ping.tsx';
import { PortsPart } from './parts/ports.tsx';
import { ScriptPart } from './parts/script.tsx';
import { Sentences } from './parts/shared.tsx';
import { Timings } from './parts/timings.tsx';
import { Tree } from './parts/tree.tsx';
import { WebPart } from './parts/web.tsx';
import { fieldsOf, textsOf, type Fields } from './values.ts';

type PartOf = (props: { metadata: Fields }) => JSX.Element | null;

/**
 * Returns the component that shows the content of a result. The choice depends on the check type and, for scripts, on
 * the format of the content.
 */
const partOf = (type: Check['type'], metadata: Fields): PartOf => {
  switch (type) {
    case 'web':
    case 'api':
    case 'tcp':
      return WebPart;
    case 'ssl':
      return isCertificateResult(metadata) ? CertificatePart : WebPart;
    case 'dns':
      return DnsPart;
    case 'icmp':
      return PingPart;
    case 'portscan':
      return PortsPart;
    case 'multistep':
    case 'synthetic':
      return 'navigation_timing' in metadata || 'resource_timings' in metadata ? LegacyScriptPart : ScriptPart;
  }
};

/**
 * Shows the content of a result: first in a form specific to the check type, then completely as a tree. The content is
 * untrusted data from targets and scripts.
 */
export const Metadata = ({ type, metadata }: { type: Check['type']; metadata: unknown }): JSX.Element => {
  const fields = fieldsOf(metadata);
  const Part = partOf(type, fields);
  const { result: says } = words.value;
  return (
    <>
      <Sentences title={says.notes} sentences={textsOf(fields['notes'])} />
      <Timings timings={fieldsOf(fields['timings'])} />
      <Part metadata={fields} />
      {Object.keys(fields).length > 0 && (
        <details class="folded">
          <summary>{says.everything}</summary>
          <Tree value={fields} />
        </details>
      )}
    </>
  );
};
