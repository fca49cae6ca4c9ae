/** An object with the type that `kubectl get -o` prints of it. Keys are in alphabetical order throughout, as kubectl prints them. */
export type Typed<T> = T & { readonly apiVersion: string }
