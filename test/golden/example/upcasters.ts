import type { Upcaster, Upcasters } from '../../../domain/upcasters.ts';

/** Previously, no call sign was recorded. */
const withoutCallSign: Upcaster = (data) => ({ ...data, call_sign: null });

/** Previously, the field was named `weight`. */
const inTons: Upcaster = (data) => {
  const { weight, ...others } = data as { weight: number };
  return { ...others, tons: weight };
};

export const shipUpcasters: Upcasters = {
  ShipRegistered: { 1: withoutCallSign },
  CargoLoaded: { 1: inTons },
};
