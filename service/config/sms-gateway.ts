import { isFieldName, isFieldValue, isOfConnection } from '../../network/header-fields.ts';
import { gatewayOf, type GatewayInput, type SmsGateway } from '../../notifiers/sms/gateway.ts';

/** The variables as they were read. */
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

/** Where SMS are sent through; null: nowhere. */
export const smsGatewayOf = (config: GatewayConfig): SmsGateway | null => {
  const input = inputOf(config);
  const gateway = input && gatewayOf(input);
  return gateway && !('problem' in gateway) ? gateway : null;
};

/** What is wrong with the variables together, as sentences; values are not shown, since they can be secret. */
export const smsGatewayProblems = (config: GatewayConfig): string[] => {
  const input = inputOf(config);
  const gateway = input && gatewayOf(input);
  return gateway && 'problem' in gateway ? [`SMS_GATEWAY_${gateway.variable} ${gateway.problem}`] : [];
};

/** A URL with places for a message. */
export const gatewayUrl = (value: string): string => {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error('must be a URL that begins with http:// or https://.');
  }
  if (/^https?:\/\/[^/?#]*\{(?:to|text|id)\}/.test(value)) {
    throw new Error('must not have a place for a message before its path.');
  }
  return value;
};

/** Headers as a JSON object of names and values. */
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
    if (!isFieldName(name) || isOfConnection(name))
      throw new Error(`must not have a header called ${JSON.stringify(name)}.`);
    if (typeof text !== 'string' || !isFieldValue(text)) {
      throw new Error(`must have a text of visible ASCII characters for ${name}.`);
    }
  }
  return headers as Record<string, string>;
};
