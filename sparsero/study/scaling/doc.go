// Package scaling is the experiment of section 5.2 and appendix F.4 of the paper:
// how many of N mined directions are needed to cover what all of them cover.
package scaling
