// Package save writes what a scenario does as expectations of it, few enough to be read: in which order pods go and
// come, how many serve at least, and how it ends.
package save
