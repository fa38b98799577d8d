"""What is known not to work yet: name -> reason. The generator keeps clear of it, and its own tests are expected to
fail (strictly, so whoever mends it takes the entry away, and the generator uses it from then on)."""

BROKEN: dict[str, str] = {
    "particle in a joint": "natural coordinates ask a point mass for its axes: KeyError",
    "functions of time in equations": "a user's equation with sin(t) is refused as beyond a quadratic",
    "angle of a skew universal joint": "its sine and cosine rows take the projected axis for a unit vector",
    "angle of a direction not across": "its sine and cosine rows become constraints",
}
