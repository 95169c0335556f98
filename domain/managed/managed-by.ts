import { Type } from '@sinclair/typebox';

/** Maximum length of `managed_by`, in characters. */
export const MAX_MANAGED_BY = 50;

/**
 * The program that maintains an object from files (docs/reference/requests.md#managed-objects). The field is absent or
 * null if people maintain the object. It is absent in events of earlier versions.
 */
export const managedBy = { managed_by: Type.Optional(Type.Union([Type.String(), Type.Null()])) };

/** The field of {@link managedBy} in states and documents. */
export interface ManagedObject {
  managed_by?: string | null;
}

/** Copies the mark of an object. An object without a mark gets no field. */
export const markOf = ({ managed_by }: { managed_by?: string | null | undefined }): ManagedObject =>
  managed_by === undefined ? {} : { managed_by };
