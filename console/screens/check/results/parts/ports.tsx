import type { JSX } from 'preact';
import { words } from '../../../../shell/language.ts';
import { rowsOf, textOf, type Fields } from '../values.ts';
import { Grid, Part, Text } from './shared.tsx';

/** The findings of a port scan. */
export const PortsPart = ({ metadata }: { metadata: Fields }): JSX.Element => {
  const { result: says } = words.value;
  const risks = rowsOf(metadata['vulnerabilities']);
  return (
    <>
      {risks.length > 0 && (
        <Part title={says.risks}>
          <Grid
            heads={[says.port, says.risk, says.finding]}
            rows={risks.map((one) => [
              <Text value={one['port']} />,
              <Text value={one['risk_level']} />,
              <Text value={one['description']} />,
            ])}
          />
        </Part>
      )}
      {rowsOf(metadata['scan_results']).map((host, index) => (
        <Host key={index} host={host} />
      ))}
    </>
  );
};

const Host = ({ host }: { host: Fields }): JSX.Element => {
  const { result: says } = words.value;
  const ports = rowsOf(host['open_ports']);
  const title = [host['hostname'], host['ip'], host['state']].flatMap((one) => textOf(one) ?? []).join(' · ');
  return (
    <Part title={title}>
      {ports.length === 0 ? (
        <p>{says.noOpenPorts}</p>
      ) : (
        <Grid
          heads={[says.port, says.service, says.product]}
          rows={ports.map((one) => [
            <Text value={[one['port'], one['protocol']].flatMap((part) => textOf(part) ?? []).join('/')} />,
            <Text value={one['service']} />,
            <Text
              value={[one['product'], one['version'], one['extrainfo']].flatMap((part) => textOf(part) ?? []).join(' ')}
            />,
          ])}
        />
      )}
    </Part>
  );
};
