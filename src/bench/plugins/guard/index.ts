export { guardIdea } from "./guard-idea.js";
export { guardModel } from "./guard-model.js";
export { guardTrack } from "./guard-track.js";
export { listenToCalls, watchingClosely } from "./watch.js";
