/// <reference lib="esnext.disposable" preserve="true" />
export type { Packer, Representation } from "./message/external32/packer.js";
export { ANY_SOURCE, ANY_TAG, IN_PLACE, PROC_NULL, UNDEFINED } from "./constants.js";
export { BridgeError, MpiTimeoutError } from "./errors.js";
export type { Elements, Message, NdarrayLike } from "./message/place/message.js";
export { BridgeType, type Dense } from "./message/datatype/bridge-type.js";
/** @deprecated Elements side by side are `Dense`. */
export type { Dense as Direct } from "./message/datatype/bridge-type.js";
export type { Hints, Route } from "./message/datatype/hints.js";
export type { MeasuredCost } from "./message/datatype/measured-cost.js";
export type { TypeLike } from "./message/datatype/type-cache.js";
export type { Given, InPlace, Parts, TypedParts } from "./parts/collectives/collective-buffers.js";
export type { ReduceOptions } from "./parts/reductions/reductions.js";
export type { OperationName } from "./parts/reductions/operation-name.js";
export type { ReductionCarrier, ReductionPlan } from "./parts/reductions/reduction-plan.js";
/** @deprecated Carriers take its place. */
export type { ReductionCarrier as ReductionRoute } from "./parts/reductions/reduction-plan.js";
export type { BoundRecv, BoundSend } from "./parts/point-to-point/bound-message.js";
export type { PeerKind } from "./communicator/peer-kind.js";
export { Communicator } from "./communicator/communicator.js";
export { MatchedMessage } from "./carriers/framed/matched-message.js";
export type { RecvOptions, SendOptions, SendrecvOptions } from "./parts/point-to-point/message-options.js";
export type { PeerMessages } from "./parts/collectives/peer-exchange.js";
/** @deprecated A Communicator has these calls. */
export type { Communicator as PointToPoint } from "./communicator/communicator.js";
export type { Checks, CommunicatorSettings } from "./parts/settings.js";
export type { Neighbours, Shift } from "./parts/topology/neighbours.js";
export type { CartOptions, GraphOptions } from "./parts/topology/topology.js";
export { haloExchange, type HaloExchange } from "./halo/halo-exchange.js";
export { processGrid } from "./halo/process-grid.js";
export type { HaloArray, HaloCarriage, HaloOptions } from "./halo/halo-options.js";
export type { PinnedBytes } from "./carriers/bound/bound-regions.js";
export type { FormPrediction, Prediction } from "./carriers/carrier.js";
export type { CarrierAnswer, Explanation } from "./carriers/explanation.js";
export type { MessagePlan, MethodCost, PredictedMethod } from "./communicator/message-plan.js";
export type { DeviceForm, FormCost } from "./message/devices/device-forms.js";
/** @deprecated Forms of carriers take its place. */
export type { DeviceForm as Method } from "./message/devices/device-forms.js";
export type { DeviceCarriers } from "./carriers/framed/framing-options.js";
/** @deprecated Carriers take its place. */
export type { DeviceCarriers as DeviceWays } from "./carriers/framed/framing-options.js";
export type { DupOptions, PipelineOptions } from "./communicator/dup-options.js";
export { Mailbox, type PostedReceive } from "./communicator/mailbox.js";
export type { Ended, Many } from "./progress/many.js";
export type { PersistentRequest } from "./message/requests/persistent-request.js";
export type { Request, WaitOptions } from "./message/requests/request.js";
export type { Status } from "./message/requests/status.js";
export { measureTerms, type MpiTerms } from "./world/measure-terms.js";
export { MpiFile, type FileOptions, type ViewOptions } from "./files/file.js";
export type { LockKind } from "./windows/epochs.js";
export type { Target } from "./windows/target.js";
export type { AccumulatePlan } from "./windows/accumulate-plan.js";
export { Window, type AccumulateOptions, type FenceOptions, type WindowOptions } from "./windows/window.js";
export { openMpi, World, type MpiOptions } from "./world/world.js";
