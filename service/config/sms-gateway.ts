import { isFieldName, isFieldValue, isConnectionField } from '../../network/header-fields.ts';
import { gatewayOf, type GatewayInput, type SmsGateway } from '../../notifiers/sms/gateway.ts';

/** The variables of the SMS gateway, before their combination is validated. */
export interface GatewayConfig {
  smsGatewayUrl: string | null;
  smsGatewayMethod: string;
  smsGatewayHeaders: Readonly<Record<string, string>> | null;
  smsGatewayBody: string | null;
}

const inputOf = (config: GatewayConfig): GatewayInput | null =>
  config.smsGatewayUrl === null
    ? null
    : {
        url: config.smsGatewayUrl,
        method: config.smsGatewayMethod,
        headers: config.smsGatewayHeaders,
        body: config.smsGatewayBody,
      };

/** Returns the configured SMS gateway; null if none is configured. */
export const smsGatewayOf = (config: GatewayConfig): SmsGateway | null => {
  const input = inputOf(config);
  const gateway = input && gatewayOf(input);
  return gateway && !('problem' in gateway) ? gateway : null;
};

/**
 * Returns the conflicts between the variables, as sentences. The sentences omit the values, because these may be
 * secret.
 */
export const smsGatewayProblems = (config: GatewayConfig): string[] => {
  const input = inputOf(config);
  const gateway = input && gatewayOf(input);
  return gateway && 'problem' in gateway ? [`SMS_GATEWAY_${gateway.variable} ${gateway.problem}`] : [];
};

/** Parses a URL, which may contain placeholders for the message. */
export const gatewayUrl = (value: string): string => {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error('must be a URL that begins with http:// or https://.');
  }
  if (/^https?:\/\/[^/?#]*\{(?:to|text|id)\}/.test(value)) {
    throw new Error('must not have a placeholder before its path.');
  }
  return value;
};

/** Parses headers from a JSON object that maps names to values. */
export const gatewayHeaders = (value: string): Readonly<Record<string, string>> => {
  let headers: unknown;
  try {
    headers = JSON.parse(value);
  } catch {
    headers = null;
  }
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw new Error('must be a JSON object of names and values: {"Authorization": "Bearer …"}.');
  }
  for (const [name, text] of Object.entries(headers)) {
    if (!isFieldName(name) || isConnectionField(name))
      throw new Error(`must not contain the header ${JSON.stringify(name)}.`);
    if (typeof text !== 'string' || !isFieldValue(text)) {
      throw new Error(`must have a value of visible ASCII characters for ${name}.`);
    }
  }
  return headers as Record<string, string>;
};
