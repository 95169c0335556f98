import { flagIn, mappingIn, mappingsIn, textIn } from '../../mapping/fields.ts';
import { targetIn } from '../../mapping/target.ts';
import type { Probe, Probed } from '../module.ts';
import { fixedTextOf } from '../regular-expression.ts';
import { tlsSettings } from './tls.ts';

/** Returns host and port of a target; null with a sentence if it has no port. */
const placeOf = ({ target, noteTarget }: Probe): { host: string; port: number } | null => {
  const found = targetIn(target);
  if (found?.port != null) return { host: found.host, port: found.port };
  noteTarget('has no port and is left out; write host:port.');
  return null;
};

/** Converts a target of the tcp prober to a tcp check, or to an ssl check if it uses STARTTLS. */
export const tcpProbe = (probe: Probe): Probed | null => {
  const { settings, note } = probe;
  const place = placeOf(probe);
  if (!place) return null;
  const tls = tlsSettings(mappingIn(settings, 'tls_config') ?? {}, note);
  const authority = tls.ca_certificate === undefined ? {} : { ca_certificate: tls.ca_certificate };
  const steps = mappingsIn(settings, 'query_response');
  if (steps.some((step) => flagIn(step, 'starttls') === true)) {
    note('changes to TLS by STARTTLS; its checks are ssl checks, which choose the protocol by the port (starttls).');
    return { type: 'ssl', ...place, parameters: authority };
  }
  const sent = steps.flatMap((step) => textIn(step, 'send') ?? []);
  if (sent.some((text) => /\$\{?\d/.test(text))) note('sends parts of what it received, which tcp checks cannot.');
  const { expected, rest } = expectation(steps.flatMap((step) => textIn(step, 'expect') ?? []));
  for (const sentence of rest) note(sentence);
  const usesTls = flagIn(settings, 'tls') === true;
  const parameters = {
    ...(sent.length > 0 && { send_text: sent.map((line) => `${line}\n`).join('') }),
    ...(expected !== null && { search_text: expected }),
    ...(usesTls && { tls: tls.server_name === null ? true : { server_name: tls.server_name } }),
    ...authority,
  };
  return { type: 'tcp', ...place, parameters };
};

/** Returns the text of the first expression that has one, and sentences about the others. */
const expectation = (expressions: readonly string[]): { expected: string | null; rest: string[] } => {
  let expected: string | null = null;
  const rest: string[] = [];
  for (const expression of expressions) {
    const found = fixedTextOf(expression);
    if (!found || expected !== null)
      rest.push(`expects "${expression}"; a tcp check only searches one text in what the server sends.`);
    else {
      expected = found.text;
      if (!found.exact) rest.push(`expects "${expression}"; its checks only search "${found.text}".`);
    }
  }
  return { expected, rest };
};

/** Converts a target of the grpc prober to a tcp check of its port. */
export const grpcProbe = (probe: Probe): Probed | null => {
  const place = placeOf(probe);
  if (!place) return null;
  const { settings, note } = probe;
  note(
    'calls the health service of gRPC; its checks only connect to the port. A web check of a health page says more.',
  );
  const tls = tlsSettings(mappingIn(settings, 'tls_config') ?? {}, note);
  const parameters = {
    ...(flagIn(settings, 'tls') === true && {
      tls: tls.server_name === null ? true : { server_name: tls.server_name },
    }),
    ...(tls.ca_certificate !== undefined && { ca_certificate: tls.ca_certificate }),
  };
  return { type: 'tcp', ...place, parameters };
};
